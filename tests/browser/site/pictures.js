// Takes pictures of pages in both widths, in light and in dark: `npm run pictures -- index chart …`.
import { mkdirSync } from "node:fs";
import { launch } from "../browser.js";
import { open } from "./site.js";

const wanted = process.argv.slice(2);
const browser = await launch();
mkdirSync("pictures", { recursive: true });
for (const path of wanted.length ? wanted : ["index", "index/big5", "compare", "encoding/iso-2022-jp", "search", "contexts", "playground"]) {
  for (const [width, colorScheme] of [[1400, "light"], [400, "dark"]]) {
    const [page, rest] = path.split(/(?=[?#])/);
    const opened = await open(browser, page, { rest: rest || "", viewport: { width, height: width === 400 ? 860 : 900 }, colorScheme });
    await opened.waitForTimeout(300);
    await opened.screenshot({ path: `pictures/${path.replace(/\W/g, "-")}-${width}-${colorScheme}.png` });
    for (const complaint of opened.complaints) console.log(complaint);
    await opened.context().close();
  }
}
await browser.close();
