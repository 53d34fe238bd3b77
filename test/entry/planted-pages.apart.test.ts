import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consoleBrowser, type OpenedConsole } from "../browser/setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../browser/setup/passkey-browser.ts";
import { type PlantedWorld, plantWorld } from "../cli/setup/planted-world.ts";
import { runsOf } from "../setup/campaign.ts";
import { cameThrough, PLANT } from "../setup/plants.ts";

sayIfSkipped();

/** Everything that a page shows: each text, and each attribute that a reader meets. */
const SHOWN = `(() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  for (const name of ["title", "aria-label", "aria-description", "placeholder", "alt", "label"])
    for (const one of document.querySelectorAll("[" + name + "]")) texts.push(one.getAttribute(name));
  return texts;
})()`;

describe.skipIf(!hasChromium())("what was planted in texts of others", () => {
  const browser = consoleBrowser();
  let planted: PlantedWorld;
  let console: OpenedConsole;

  beforeAll(async () => {
    planted = await plantWorld();
    console = await browser.open(planted.url);
    // The feed never ends.
    console.page.on("request", (one) => void (one.url().includes("/events") || under.add(one)));
    console.page.on("requestfinished", (one) => void under.delete(one));
    console.page.on("requestfailed", (one) => void under.delete(one));
  });
  afterAll(() => planted?.close());

  const under = new Set<unknown>();

  /** Waits until every call of the page is answered and drawn. */
  const settled = async () => {
    const drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
    do {
      await expect.poll(() => under.size).toBe(0);
      await console.page.evaluate(drawn);
    } while (under.size > 0);
  };

  const shown = async () => {
    await settled();
    return (await console.page.evaluate(SHOWN)) as string[];
  };

  /** Characters that came through, with the text around them. */
  const findingsIn = (place: string, texts: readonly string[]) =>
    texts.flatMap((text) => {
      const [found] = cameThrough(text.replaceAll(/[\n\t]/g, " "));
      if (found === undefined) return [];
      const at = Math.max(0, text.indexOf(JSON.parse(found)) - 20);
      return [`${place}: ${found} in ${JSON.stringify(text.slice(at, at + 50))}`];
    });

  const links = async () =>
    (await console.page.evaluate(
      "[...document.querySelectorAll('a[href^=\"#/\"]')].map((one) => one.getAttribute('href'))",
    )) as string[];

  /** The first segment of a place, of which a few pages are enough. */
  const kindOf = (href: string) => href.split(/[/?]/)[1] ?? "";
  const PAGES_OF_A_KIND = runsOf(12, 3);

  test("is shown by no page of the console as it is", async () => {
    const findings: string[] = [];
    const counts = new Map<string, number>();
    const ids = Object.values(planted.ids);
    const queue = ["#/", ...ids.flatMap((id) => [`#/why/${id}`, `#/records/${id}`])];
    const seen = new Set<string>();
    let escaped = 0;
    for (const href of queue) {
      const count = counts.get(kindOf(href)) ?? 0;
      if (seen.has(href) || count >= PAGES_OF_A_KIND) continue;
      seen.add(href);
      counts.set(kindOf(href), count + 1);
      await console.go(href.slice(1));
      const texts = await shown();
      escaped += texts.filter((text) => text.includes("a^{202e}a")).length;
      findings.push(...findingsIn(href, texts));
      queue.push(...(await links()));
    }
    expect([...new Set(findings)]).toEqual([]);
    expect(counts.size).toBeGreaterThan(10);
    expect(escaped).toBeGreaterThan(10);
  });

  test("is shown by no place that a foreign link made up", async () => {
    for (const view of ["why", "payments", "webhooks", "requests", "records", "customers", PLANT]) {
      await console.go(`/${view}/${encodeURIComponent(PLANT)}?q=${encodeURIComponent(PLANT)}`);
      expect(findingsIn(view, await shown())).toEqual([]);
    }
  });

  test("is shown by no answer of the reference as it is", async () => {
    const { page } = console;
    await console.go("/reference/listCustomers");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("region", { name: "Answer" }).waitFor();
    const texts = await shown();
    expect(findingsIn("an answer", texts)).toEqual([]);
    expect(texts.some((text) => text.includes("^{202e}"))).toBe(true);
  });
});
