import { Box, Text } from "ink";
import { memo, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { UNCHANGED } from "./frame-writer.ts";
import type { Session } from "./session.ts";
import { useKeys } from "./use-keys.ts";
import { useSeconds } from "./use-seconds.ts";

/** One line of the screen; Ink gives an empty line no height. */
const Line = memo(({ text }: { text: string }) => <Text wrap="truncate">{text || " "}</Text>);

interface AppProps {
  session: Session;
  /** Passes only changed lines to Ink, which is slow for each character. */
  isPartial?: boolean;
}

/** Draws the lines of a session. */
export const App = ({ session, isPartial = false }: AppProps) => {
  const lines = useSyncExternalStore(session.subscribe, session.frame);
  const drawn = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    drawn.current = lines;
  }, [lines]);
  const before = isPartial ? drawn.current : [];
  useKeys(session);
  useSeconds(session);
  return (
    <Box flexDirection="column">
      {lines.map((text, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
        <Line key={row} text={text === before[row] ? UNCHANGED : text} />
      ))}
    </Box>
  );
};
