import { type Invocation, usageError } from "../frame/command.ts";

/** Refuses to draw without a terminal. */
export const requireTerminal = () => {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (isTerminal && process.env.CI === undefined) return;
  throw usageError(
    `no screen ${isTerminal ? "in CI" : "without a terminal"}`,
    "service-sim requests --follow",
  );
};

/** Whether to print lines in place of a screen, for screen readers and simple terminals. */
export const wantsLines = ({ options }: Invocation) =>
  options.plain === true || process.env.TERM === "dumb" || process.env.INK_SCREEN_READER === "true";
