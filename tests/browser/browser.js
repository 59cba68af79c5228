// Headless Chromium for the tests: Debian's package, or the browser that TEXTCODEC_CHROMIUM names.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const executablePath = process.env.TEXTCODEC_CHROMIUM || "/usr/bin/chromium";

/** Why the tests cannot run here; undefined if they can. */
export const missing = existsSync(executablePath) ? undefined : `There is no ${executablePath}: install the package chromium.`;

/** Starts the browser. It makes no connections of its own. */
export const launch = () =>
  chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--headless=new"],
  });
