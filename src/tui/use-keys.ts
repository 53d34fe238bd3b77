import { type Key, useInput, useStdin } from "ink";
import type { Session } from "./session.ts";

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "page-up"],
  ["pageDown", "page-down"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  // A terminal's backspace arrives as `delete`.
  ["backspace", "backspace"],
  ["delete", "backspace"],
] as const satisfies readonly (readonly [keyof Key, string])[];

/** The name of a key in the table of keys; undefined for text. */
export const keyName = (input: string, key: Key): string | undefined => {
  if (key.tab) return key.shift ? "shift-tab" : "tab";
  const named = NAMED.find(([flag]) => key[flag]);
  if (named) return named[1];
  return key.ctrl ? `ctrl-${input}` : undefined;
};

/** Passes every key to the session. */
export const useKeys = (session: Session) => {
  const { isRawModeSupported } = useStdin();
  useInput(
    (input, key) => {
      const name = keyName(input, key);
      if (name !== undefined) session.key(name);
      else if (input !== "") session.text(input);
    },
    { isActive: isRawModeSupported === true },
  );
};
