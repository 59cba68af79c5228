// https://encoding.spec.whatwg.org/#names-and-labels, against the table that the Rust crates are made from.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TextDecoder, TextDecoderStream, labelToName } from '@textcodec/node';

const table = readFileSync(new URL('../../../indexes/labels.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));

test('the table has all labels', () => assert.equal(table.length, 228));

test('a label means its encoding, in any case and between ASCII whitespace', () => {
  for (const [label, name] of table) {
    for (const variant of [label, label.toUpperCase(), `\t\n\f\r ${label} \r`]) {
      assert.equal(labelToName(variant), name, JSON.stringify(variant));
      for (const constructor of [TextDecoder, TextDecoderStream]) {
        if (name === 'replacement') {
          assert.throws(() => new constructor(variant), RangeError);
          assert.throws(() => new constructor(variant, { fatal: true }), RangeError);
        } else {
          assert.equal(new constructor(variant).encoding, name.toLowerCase());
        }
      }
    }
  }
});

test('nothing else is a label', () => {
  for (const label of [
    '', ' ', 'utf', 'utf-7', 'utf-32', 'utf_8', 'latin-1', 'iso-2022-jp-2', 'cesu-8', 'x-user-defined2', '__proto__', 'constructor',
    '\u{b}utf-8', 'utf-8\0', '\u{a0}utf-8', '\u{feff}utf-8', 'utf- 8', '\u{212a}oi8-r', 'w\u{131}ndows-1252', 'utf-8\u{d800}',
  ]) {
    assert.equal(labelToName(label), null, JSON.stringify(label));
    assert.throws(() => new TextDecoder(label), RangeError, JSON.stringify(label));
    assert.throws(() => new TextDecoderStream(label), RangeError, JSON.stringify(label));
  }
});
