import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Workbench } from "../../cli/setup/workbench.ts";
import { consoleBrowser } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";

sayIfSkipped();

describe.skipIf(!hasChromium())("a console whose simulator is killed", () => {
  const browser = consoleBrowser();
  let place: Workbench;

  beforeEach(() => {
    place = new Workbench();
  });

  afterEach(() => place.close());

  test("says so, keeps drafts, and shows the same rows after a restart", async () => {
    const first = await place.startProcess("--fixture payouts-demo --clock manual");
    const url = new URL(first.ready.controlUrl).origin;
    const opened = await browser.open(url);
    const { page } = opened;
    // Its own attempts to connect wait for this clock, so that the button alone connects it.
    await page.clock.install();
    const rows = await page
      .getByRole("grid", { name: "Newest payments" })
      .locator(".row-cells-leads")
      .allTextContents();
    await opened.go("/faults");
    await page.getByLabel("times").fill("7");
    await first.stop("SIGKILL");
    await page.getByText(`No answer from ${new URL(url).host}`, { exact: false }).waitFor();
    expect(await page.getByRole("button", { name: /^Advance…/ }).isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: "Add" }).isDisabled()).toBe(true);
    await page.clock.pauseAt(await page.evaluate("Date.now() + 1000"));
    await place.start(`--port ${new URL(url).port}`);
    await page.getByRole("button", { name: /Try now/ }).click();
    await page.clock.resume();
    await page.locator(".live.done").waitFor();
    await page.getByText("The simulator was restarted at", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    expect(await page.getByLabel("times").inputValue()).toBe("7");
    await opened.go("/");
    await expect
      .poll(() =>
        page
          .getByRole("grid", { name: "Newest payments" })
          .locator(".row-cells-leads")
          .allTextContents(),
      )
      .toEqual(rows);

    await page.getByRole("button", { name: "Make a payout" }).waitFor({ state: "detached" });
    expect((await place.run("seed agent-demo")).code).toBe(0);
    await page.locator(".side-side", { hasText: "1 !" }).waitFor();
    expect((await place.run("reset")).code).toBe(0);
    await page.getByText("was reset, rewound or restored by another client").waitFor();
    await page.locator(".side-side", { hasText: "1 !" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".side-side", { hasText: "1 !" }).waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.context().close();
  });
});
