import { type Invocation, usageError } from "../frame/command.ts";

/** The name that a command of `snapshot` works on. */
export const namedOperand = ({ args: [name] }: Invocation, word: string): string => {
  if (name === undefined)
    throw usageError(
      `say which snapshot, for example: snapshot ${word} paid`,
      "service-sim snapshot list",
    );
  return name;
};
