import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consoleBrowser, expectClean, type OpenedConsole } from "../setup/console-page.ts";
import { type FilledSimulator, startFilled } from "../setup/many-payments.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

sayIfSkipped();

const ADDED = 100_000;

describe.skipIf(!hasChromium())("a list of 100,000 rows", () => {
  const browser = consoleBrowser();
  let filled: FilledSimulator;
  let url: string;
  let total: number;

  const rows = async (query: string) => {
    const { sim } = filled;
    const answer = await sim.fetch(new Request(`${sim.controlUrl}/rows?${query}`));
    return (await answer.json()) as { data: { id: string }[]; totalCount: number };
  };

  const idAt = async (offset: number) =>
    (await rows(`list=payments&limit=1&offset=${offset}`)).data[0]?.id;

  beforeAll(async () => {
    filled = await startFilled("payouts-demo");
    filled.addPayments(ADDED);
    ({ totalCount: total } = await rows("list=payments&limit=1"));
    ({ url } = await filled.sim.listen());
  }, 120_000);

  afterAll(() => filled.sim.close());

  const openList = async (place = "/payments") => {
    const opened = await browser.open(url);
    await opened.go(place);
    if (place !== "/")
      await opened.page.locator(".long-list-scroller [role=row]").first().waitFor();
    return opened;
  };

  /** The row with the focus: its id, and its place as readers of the screen are told. */
  const focused = ({ page }: OpenedConsole) =>
    page.evaluate(() => {
      const row = document.activeElement;
      const index = Number(row?.getAttribute("aria-rowindex"));
      const box = row?.getBoundingClientRect();
      const isInSight = box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
      return { id: row?.getAttribute("data-row") ?? undefined, place: index - 2, isInSight };
    });

  const expectFocus = async (opened: OpenedConsole, place: number) =>
    expect.poll(() => focused(opened)).toEqual({ id: await idAt(place), place, isInSight: true });

  const focusFirst = async ({ page }: OpenedConsole) =>
    page.locator('.long-list-scroller [aria-rowindex="2"]').focus();

  test("the page is drawn with the first rows, and follows all of them a moment later", async () => {
    const opened = await openList("/");
    const { page } = opened;
    const feeds: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith("/events")) feeds.push(search);
    });
    await page.reload();
    const both = ["?rows=true&first=true", "?rows=true"];
    await expect.poll(() => feeds).toEqual(both);
    await page.locator(".side-side a", { hasText: "Payments100,010" }).waitFor();
    await expectClean(opened);
  });

  test("keys act on the focused row, which stands in the page, and the count is the true one", async () => {
    const opened = await openList();
    const { page } = opened;
    const grid = page.getByRole("grid", { name: "Payments" });
    await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe(String(total + 1));
    await page.getByText("100,010 newest first").waitFor();
    await page.locator(".side-side a", { hasText: "Payments100,010" }).waitFor();
    await focusFirst(opened);
    for (const [key, place] of [
      ["j", 1],
      ["ArrowDown", 2],
      ["k", 1],
      ["End", total - 1],
      ["ArrowUp", total - 2],
      ["Home", 0],
      ["G", total - 1],
      ["g", 0],
    ] as const) {
      await page.keyboard.press(key === "G" ? "Shift+G" : key);
      await expectFocus(opened, place);
    }
    await page.keyboard.press("PageDown");
    await expect.poll(async () => (await focused(opened)).place).toBeGreaterThan(5);
    const { place } = await focused(opened);
    await expectFocus(opened, place);
    await page.keyboard.press("PageDown");
    await expectFocus(opened, 2 * place);
    await page.keyboard.press("PageUp");
    await expectFocus(opened, place);
    expect(await page.locator(".long-list-scroller [role=row]").count()).toBeLessThan(100);
    await expectClean(opened);
  });

  test("Enter opens the row at the end, also before it is read", async () => {
    const opened = await openList();
    const { page } = opened;
    await focusFirst(opened);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const last = await idAt(total - 1);
    await expect
      .poll(() => page.evaluate(() => decodeURIComponent(location.hash)))
      .toBe(`#/payments/${last}`);
    await expectClean(opened);
  });

  test("a row that is scrolled out of sight keeps the cursor", async () => {
    const opened = await openList();
    const { page } = opened;
    await focusFirst(opened);
    await page.keyboard.press("j");
    await page.locator(".long-list-scroller").evaluate((element) => {
      element.scrollTop = 1_500_000;
    });
    await page
      .locator('.long-list-scroller [aria-rowindex="51000"]')
      .or(page.locator("[role=row][aria-busy]"))
      .first()
      .waitFor({ state: "attached" })
      .catch(() => {});
    expect((await focused(opened)).place).toBe(1);
    await page.keyboard.press("j");
    await expectFocus(opened, 2);
    await expectClean(opened);
  });

  test("rows in the middle are read where somebody scrolls to, and are links", async () => {
    const opened = await openList();
    const { page } = opened;
    await page.locator(".long-list-scroller").evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2;
    });
    const shown = () =>
      page.evaluate(() => {
        const scroller = document.querySelector(".long-list-scroller")?.getBoundingClientRect();
        const row = [...document.querySelectorAll(".long-list-scroller [role=row][data-row]")].find(
          (one) => one.getBoundingClientRect().top > (scroller?.top ?? 0) + 100,
        );
        const place = Number(row?.getAttribute("aria-rowindex")) - 2;
        const href = row?.querySelector("a")?.getAttribute("href") ?? "";
        return { place, id: decodeURIComponent(href.slice("#/payments/".length)) };
      });
    await expect.poll(async () => (await shown()).place).toBeGreaterThan(40_000);
    const { place, id } = await shown();
    expect(id).toBe(await idAt(place));
    await expectClean(opened);
  });

  test("a search finds among all of them, says how many, and Enter opens what it found", async () => {
    const opened = await openList();
    const { page } = opened;
    const old = await rows("list=payments&query=1,042.17");
    expect(old.totalCount).toBe(1);
    await page.keyboard.press("/");
    await page.keyboard.type("1042.17");
    await page.getByText("1 found").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL((at) => decodeURIComponent(at.hash) === `#/payments/${old.data[0]?.id}`);
    await opened.go("/payments?q=no-such-payee");
    await page.getByText("Nothing found", { exact: false }).waitFor();
    await expectClean(opened);
  });

  test("go to finds a row far down by the end of its id", async () => {
    const opened = await openList("/");
    const { page } = opened;
    const id = (await idAt(70_000)) ?? "";
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id.slice(-6));
    await page
      .getByRole("option", { name: id.slice(-6) })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((at) => decodeURIComponent(at.hash) === `#/payments/${id}`);
    await expectClean(opened);
  });
});
