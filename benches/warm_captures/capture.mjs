// Captures a page with Playwright, so many labels for each line of standard input; says milliseconds and the hash of the last.
//
//     node capture.mjs BROWSER once|twice FOLDER PAGE WIDTHxHEIGHT OUT.png
//
// With `twice` it takes pictures until two are the same, as Playwright's own test runner does before it compares one.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, looks, folder, name, viewport, out] = process.argv.slice(2);
const [width, height] = viewport.split("x").map(Number);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
// As many pages at a time as the other side has here.
const pages = [];
for (let at = 0; at < 2; at++) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
  pages.push(await context.newPage());
}
const address = pathToFileURL(resolve(folder, name)).href;

async function capture(page) {
  await page.goto(address);
  const shoot = () => page.screenshot({ animations: "disabled", caret: "hide" });
  let png = await shoot();
  while (looks === "twice") {
    const again = await shoot();
    if (again.equals(png)) break;
    png = again;
  }
  return png;
}

for await (const line of createInterface({ input: process.stdin })) {
  let left = Number(line);
  let png;
  const began = performance.now();
  await Promise.all(pages.map(async (page) => {
    while (left-- > 0) png = await capture(page);
  }));
  const millis = performance.now() - began;
  writeFileSync(out, png);
  console.log(`${millis.toFixed(2)} ${createHash("sha256").update(png).digest("hex").slice(0, 12)}`);
}
await browser.close();
