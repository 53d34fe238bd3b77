import { createInterface } from "node:readline/promises";
import type { ControlClient } from "../control/client.ts";
import { EXIT } from "./command.ts";
import { followActivity } from "./follow.ts";
import type { Terminal } from "./terminal.ts";

/** Prints what happens, a line each; answers end with the simulator. */
export const watchInLines = async (client: ControlClient, terminal: Terminal): Promise<number> => {
  void createInterface;
  await followActivity(client, terminal, { isAll: true });
  return EXIT.done;
};
