import { upgradeStore } from "../../../storage/postgres/store-check.ts";
import { type Command, CommandError, EXIT } from "../../frame/command.ts";
import { startFailure } from "../../frame/simulator-options.ts";
import { storeFailure } from "../../frame/store-failure.ts";
import { wantedStore } from "../../tasks/store-place.ts";

export const command: Command = {
  name: "upgrade",
  summary: "raise the format of a database, once every simulator that runs knows it",
  operands: "[url]",
  options: [],
  examples: ["service-sim store upgrade postgres://sim@127.0.0.1/sim"],
  run: async (invocation, terminal) => {
    const { url, hint } = wantedStore(invocation);
    const upgraded = await upgradeStore(url).catch((error: unknown) => {
      throw storeFailure(error, hint) ?? startFailure(error);
    });
    if (!upgraded)
      throw new CommandError(
        { code: "STORE_IN_USE", exitCode: EXIT.notDone },
        "a simulator that runs does not know this format: nothing was changed",
        ["service-sim store check    lists the simulators and their versions"],
      );
    terminal.document(upgraded);
    terminal.print(
      `${terminal.style.mark("done")} ${upgraded.place} has format ${upgraded.format}`,
    );
    return EXIT.done;
  },
};
