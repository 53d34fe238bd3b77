import { type Style, Terminal } from "../../../src/cli/text/terminal.ts";

const PROPERTIES = ["isTTY", "columns"] as const;

/** Makes the process's streams look like a terminal of some width while something runs. */
export const onTerminal = async <Result>(
  columns: number,
  run: () => Promise<Result>,
): Promise<Result> => {
  const streams = [process.stdout, process.stderr];
  const before = streams.map((stream) =>
    PROPERTIES.map((name) => Object.getOwnPropertyDescriptor(stream, name)),
  );
  for (const stream of streams) {
    Object.defineProperty(stream, "isTTY", { value: true, configurable: true });
    Object.defineProperty(stream, "columns", { value: columns, configurable: true });
  }
  try {
    return await run();
  } finally {
    for (const [at, stream] of streams.entries())
      for (const [place, name] of PROPERTIES.entries()) {
        const found = before[at]?.[place];
        if (found) Object.defineProperty(stream, name, found);
        else Reflect.deleteProperty(stream, name);
      }
  }
};

/** Columns of the terminal that a style is for, unless a test is about another width. */
const COLUMNS = 120;

const withoutColor = async (): Promise<Style> =>
  (await Terminal.open({ json: false, quiet: false, color: "never" })).style;

/** The style of lines on a terminal of some width, without color. */
export const styleAt = async (width: number): Promise<Style> => ({
  ...(await onTerminal(width, withoutColor)),
  screen: { width, isAscii: false },
});

/** The style of lines on a terminal or off one, without color. */
export const styleOn = (isTerminal: boolean): Promise<Style> =>
  isTerminal ? styleAt(COLUMNS) : withoutColor();

/** The style of a terminal with color, for lines to any stream. */
export const colorTerminal = (): Promise<Terminal> =>
  Terminal.open({ json: false, quiet: false, color: "always" });
