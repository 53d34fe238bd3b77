import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Locator, Page } from "playwright-core";
import { PNG } from "pngjs";

/** Kept pictures; `npm run pictures` makes them again. */
const FOLDER = "test/browser/console/pictures";

/**
 * Share of the pixels that may differ: edges of letters, as browsers smooth them a little
 * otherwise.
 */
const MOST_DIFFERENT = 0.01;
/** Distance of two colors from which on they count as different, of 1. */
const THRESHOLD = 0.2;

const isWriting = process.env.SERVICE_SIM_PICTURES === "write";

/** Waits for the fonts of the page, and hides the caret, which blinks; the policy is bypassed. */
export const useStillText = async (page: Page) => {
  await page.addStyleTag({ content: "*{caret-color:transparent!important}" });
  await page.evaluate(async () => {
    const faces = [...document.fonts].map((one) => one.load().catch(() => undefined));
    await Promise.all(faces);
  });
};

const pathOf = (name: string) => join(FOLDER, `${name}.png`);

/** Writes the two pictures and their difference where a person can look at them. */
const keepForLooking = (name: string, pictures: Record<string, Buffer>) => {
  const folder = mkdtempSync(join(tmpdir(), "service-sim-pictures-"));
  for (const [kind, bytes] of Object.entries(pictures))
    writeFileSync(join(folder, `${name}-${kind}.png`), bytes);
  return folder;
};

/**
 * Compares a page with the picture that is kept of it.
 * @returns what differs, in a sentence; nothing when it looks the same
 */
export const differenceFrom = async (
  page: Page,
  name: string,
  { hidden }: { hidden: readonly Locator[] },
): Promise<string | undefined> => {
  const bytes = await page.screenshot({ mask: [...hidden], maskColor: "#808080" });
  const path = pathOf(name);
  if (isWriting) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, bytes);
    return undefined;
  }
  if (!existsSync(path)) return `${name}: no picture is kept; npm run pictures makes it`;
  const [now, kept] = [PNG.sync.read(bytes), PNG.sync.read(readFileSync(path))];
  const { width, height } = now;
  if (kept.width !== width || kept.height !== height)
    return `${name}: ${width} × ${height} pixels in place of ${kept.width} × ${kept.height}`;
  const shown = new PNG({ width, height });
  const options = { threshold: THRESHOLD };
  const count = pixelmatch(kept.data, now.data, shown.data, width, height, options);
  if (count <= MOST_DIFFERENT * width * height) return undefined;
  const pictures = { now: bytes, kept: readFileSync(path), difference: PNG.sync.write(shown) };
  const folder = keepForLooking(name, pictures);
  return `${name}: ${count} pixels differ, see ${folder}; npm run pictures keeps the new look`;
};
