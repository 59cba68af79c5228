// What all pages share: the object that the data files fill, and small functions.
"use strict";
const textcodec = {
  root: document.body.dataset.root,
  hex: (number, digits) => number.toString(16).toUpperCase().padStart(digits, "0"),
  codePoint: (number) => "U+" + textcodec.hex(number, 4),
  spaced: (hex) => hex.replace(/..(?=.)/g, "$& "),
  grouped: (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202F"),
  slug: (name) => name.toLowerCase().replace(/[:_]/g, "-"),
  // An element with attributes and children; strings become text.
  element(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children);
    return element;
  },
};
