import { Box, type Key, Text, useInput, useStdin } from "ink";
import { memo, useEffect, useSyncExternalStore } from "react";
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
const keyName = (input: string, key: Key): string | undefined => {
  if (key.tab) return key.shift ? "shift-tab" : "tab";
  const named = NAMED.find(([flag]) => key[flag]);
  if (named) return named[1];
  return key.ctrl ? `ctrl-${input}` : undefined;
};

/** Passes every key to the session. */
const useKeys = (session: Session) => {
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

const SECOND_MS = 1000;

/** Tells the session each second, for countdowns and toasts. */
const useSeconds = (session: Session) => {
  useEffect(() => {
    const ticking = setInterval(() => session.tick(), SECOND_MS);
    return () => clearInterval(ticking);
  }, [session]);
};

/** One line of the screen; Ink gives an empty line no height. */
const Line = memo(({ text }: { text: string }) => <Text wrap="truncate">{text || " "}</Text>);

interface AppProps {
  session: Session;
  /**
   * Hands Ink the number of each frame in place of its lines: Ink is slow for each character, and
   * `FrameWriter` has the lines.
   */
  isDrawnApart?: boolean;
}

/** Draws the lines of a session. */
export const App = ({ session, isDrawnApart = false }: AppProps) => {
  const lines = useSyncExternalStore(session.subscribe, session.frame);
  useKeys(session);
  useSeconds(session);
  if (isDrawnApart) return <Text>{session.frameNumber}</Text>;
  return (
    <Box flexDirection="column">
      {lines.map((text, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
        <Line key={row} text={text} />
      ))}
    </Box>
  );
};
