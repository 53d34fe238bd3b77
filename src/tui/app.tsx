import { Box, Text } from "ink";
import { memo, useSyncExternalStore } from "react";
import type { Session } from "./session.ts";
import { useKeys } from "./use-keys.ts";
import { useSeconds } from "./use-seconds.ts";

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
