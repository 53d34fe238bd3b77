import { type Style, Terminal } from "../../../src/cli/text/terminal.ts";

/** The style of lines on a terminal or off one, without color. */
export const styleOn = async (isTerminal: boolean): Promise<Style> => {
  const before = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  Object.defineProperty(process.stdout, "isTTY", { value: isTerminal, configurable: true });
  try {
    return (await Terminal.open({ json: false, quiet: false, color: "never" })).style;
  } finally {
    if (before) Object.defineProperty(process.stdout, "isTTY", before);
    else Reflect.deleteProperty(process.stdout, "isTTY");
  }
};

/** The style of a terminal with color, for lines to any stream. */
export const colorTerminal = (): Promise<Terminal> =>
  Terminal.open({ json: false, quiet: false, color: "always" });
