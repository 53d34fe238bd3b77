import { afterEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { consoleBrowser, expectClean } from "../setup/console-page.ts";
import { hasChromium, sayIfSkipped } from "../setup/passkey-browser.ts";
import { slowPayout } from "../setup/slow-payout.ts";

sayIfSkipped();

/** The part of React's own tree that tells which components were drawn in a commit. */
interface Fiber {
  tag: number;
  flags: number;
  stateNode: unknown;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
}

/** Runs in the page before it loads: counts components that are drawn, inside of the line and outside. */
const countDrawn = () => {
  const counts = { inside: 0, outside: 0 };
  const firstElement = (fiber: Fiber | null): Element | undefined => {
    if (!fiber) return undefined;
    if (fiber.tag === 5) return fiber.stateNode as Element;
    return firstElement(fiber.child) ?? firstElement(fiber.sibling);
  };
  const visit = (fiber: Fiber | null) => {
    for (let one = fiber; one; one = one.sibling) {
      const isDrawn = (one.flags & 1) !== 0 && (one.tag === 0 || one.tag === 15);
      const element = isDrawn ? firstElement(one.child) : undefined;
      if (element)
        counts[element.closest(".time-line-line, .shell-under") ? "inside" : "outside"] += 1;
      if (one.child !== one.alternate?.child) visit(one.child);
    }
  };
  Object.assign(globalThis, {
    drawn: counts,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onCommitFiberRoot: (_: number, root: { current: Fiber }) => visit(root.current.child),
    },
  });
};

describe.skipIf(!hasChromium())("a drag of the clock", () => {
  const browser = consoleBrowser();
  let world: TestSimulator;

  afterEach(() => world.sim.close());

  test("draws the time line and its sheet with each move, and no view", async () => {
    world = await startTestSimulator();
    await slowPayout(world);
    const opened = await browser.open((await world.sim.listen()).url);
    const { page } = opened;
    await page.addInitScript(countDrawn);
    await page.reload();
    await page.locator(".flags-flag").first().waitFor();
    await opened.settled();
    const drawn = () =>
      page.evaluate(() => (globalThis as unknown as { drawn: Record<string, number> }).drawn);
    expect((await drawn()).outside).toBeGreaterThan(10);
    const head = await page.getByRole("slider", { name: "Clock" }).boundingBox();
    if (!head) throw new Error("Expected the clock in sight");
    await page.mouse.move(head.x + 1, head.y + 6);
    await page.mouse.down();
    await page.mouse.move(head.x + 40, head.y + 6);
    await page.locator(".sheets-sheet").waitFor();
    await opened.settled();
    const before = await drawn();
    await page.mouse.move(head.x + 120, head.y + 6, { steps: 10 });
    const after = await drawn();
    expect(after.inside).toBeGreaterThan(before.inside ?? 0);
    // The root alone, once a move: it holds the sheet, and hands on the views as they are.
    expect((after.outside ?? 0) - (before.outside ?? 0)).toBeLessThanOrEqual(10);
    await page.mouse.up();
    await expectClean(opened);
  });
});
