import { readFileSync } from "node:fs";
import type { Parsed } from "./test-simulator.ts";

/** The identity in a file of a state directory, without its header. */
export const readIdentityFile = (file: string): Parsed => {
  const text = readFileSync(file, "utf8");
  return JSON.parse(text.slice(text.indexOf("\n") + 1));
};
