import { describe, expect, test } from "vitest";
import { pressAll, type } from "./setup/presses.ts";
import { ROWS, WORLDS, watchedWith } from "./setup/scenes.ts";

describe("worlds", () => {
  const listed = { sheet: { kind: "worlds", rows: WORLDS, at: 0 } } as const;

  test("o asks which there are, and nothing is chosen before that is known", () => {
    const { view, effects } = pressAll(["o", "down", "enter", "F", "X"]);
    expect(effects).toEqual([{ do: "worlds" }]);
    expect(view.sheet).toEqual({ kind: "worlds", at: 0 });
  });

  test("enter shows the chosen one; that of the present world only closes the list", () => {
    expect(pressAll(["down", "j", "up", "enter"], listed)).toMatchObject({
      effects: [{ do: "switch", name: "checkout-1", isStarting: false }],
      view: { sheet: undefined },
    });
    expect(pressAll(["enter"], listed)).toMatchObject({ effects: [], view: { sheet: undefined } });
    const fork = { ...watchedWith(ROWS), world: "checkout-1", asked: "checkout-1" };
    expect(pressAll(["enter"], listed, fork).effects).toEqual([
      { do: "switch", name: "sandbox", isStarting: true },
    ]);
  });

  test("F asks for a name and forks the chosen one; the sheet waits for the answer", () => {
    const { view, effects } = pressAll(["down", "F", ...type("mine"), "enter", "enter"], listed);
    expect(effects).toEqual([{ do: "fork", from: "checkout-1", name: "mine" }]);
    expect(view.sheet).toMatchObject({ kind: "fork", from: "checkout-1", isSent: true });
  });

  test("X asks before it removes a world, and leaves the default one alone", () => {
    const asked = pressAll(["down", "X"], listed);
    expect(asked).toMatchObject({ effects: [], view: { sheet: { kind: "confirm" } } });
    expect(pressAll(["down", "X", "enter"], listed).effects).toEqual([
      { do: "remove-world", name: "checkout-1" },
    ]);
    expect(pressAll(["X"], listed).view.toast?.text).toBe(
      "X: sandbox is the default world, which stays",
    );
  });

  test("a copied command names the world", () => {
    const fork = { ...watchedWith(ROWS), world: "checkout-1", asked: "checkout-1" };
    const [effect] = pressAll(["Y"], {}, fork).effects as { text: string }[];
    expect(effect?.text).toMatch(/^service-sim why .* --world checkout-1$/);
  });
});
