import { Box, Text } from "ink";
import { memo, useSyncExternalStore } from "react";
import type { Session } from "./session.ts";
import { useKeys } from "./use-keys.ts";
import { useSeconds } from "./use-seconds.ts";

/** One line of the screen; Ink gives an empty one no height. */
const Line = memo(({ text }: { text: string }) => <Text wrap="truncate">{text || " "}</Text>);

/** The screen: the lines that the session makes, drawn anew where they changed. */
export const App = ({ session }: { session: Session }) => {
  const lines = useSyncExternalStore(session.subscribe, session.frame);
  useKeys(session);
  useSeconds(session);
  return (
    <Box flexDirection="column">
      {lines.map((text, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
        <Line key={row} text={text} />
      ))}
    </Box>
  );
};
