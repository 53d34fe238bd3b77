import { defined } from "../../contract/core/defined.ts";
import { checkStore } from "../../storage/postgres/store-check.ts";
import { counted } from "../../text/layout.ts";
import { CommandError } from "../frame/command.ts";
import { startFailure } from "../frame/simulator-options.ts";
import { storeFailure } from "../frame/store-failure.ts";
import type { Check } from "./doctor-checks.ts";

/** Checks that a start can use the worlds of a database. */
export const checkDatabase = async (url: string, at: string): Promise<Check[]> => {
  const check = "state";
  try {
    const { place, format, worlds } = await checkStore(url);
    const found = `${place} is fit to keep worlds: format ${format}, ${counted(worlds.length, "world")}`;
    return [{ check, ok: true, found }];
  } catch (error) {
    const failure = storeFailure(error, at) ?? startFailure(error);
    if (!(failure instanceof CommandError)) throw failure;
    return [{ check, ok: false, found: failure.message, ...defined({ next: failure.next[0] }) }];
  }
};
