import type { Invocation } from "./command.ts";

/** The options of a command that its request takes as they are, as a query string. */
export const queryOf = ({ options }: Invocation, names: readonly string[]): string => {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = options[name];
    if (typeof value === "string") query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
};
