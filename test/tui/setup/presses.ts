import { press } from "../../../src/tui/press.ts";
import type { View } from "../../../src/tui/view.ts";
import { ROWS, sceneOf, watchedWith } from "./scenes.ts";

/** Presses keys one after the other and collects their requests. */
export const pressAll = (
  keys: readonly string[],
  start: Partial<View> = {},
  watched = watchedWith(ROWS),
) => {
  const effects: unknown[] = [];
  let { view } = sceneOf(80, 24, { view: start });
  for (const key of keys) {
    const pressed = press({ ...sceneOf(80, 24, { watched, view }), height: 5, lastTop: 9 }, key);
    view = pressed.view;
    if (pressed.effect) effects.push(pressed.effect);
  }
  return { view, effects };
};

/** The keys that type a text. */
export const type = (text: string) => [...text];
