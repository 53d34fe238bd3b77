import type { Invocation } from "./command.ts";

/** Makes a query string from the options that a request takes unchanged. */
export const queryOf = ({ options }: Invocation, names: readonly string[]): string => {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = options[name];
    if (typeof value === "string") query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
};

/** A path below which an operand names one thing; without the operand it means all of them. */
export const pathOf = (path: string, id: string | undefined): string =>
  id === undefined ? path : `${path}/${encodeURIComponent(id)}`;
