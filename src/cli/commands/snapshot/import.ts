import type { Snapshot } from "../../../contract/control/snapshots.ts";
import { defined } from "../../../contract/core/defined.ts";
import { readUserText } from "../../../machine/user-text.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CommandError, EXIT, usageError } from "../../frame/command.ts";
import { formatSaved } from "./save.ts";

const textOf = (file: string) => {
  try {
    return readUserText(file);
  } catch (error) {
    throw new CommandError(
      { code: "FILE_NOT_READ", exitCode: EXIT.usage },
      `${file} could not be read: ${(error as Error).message}`,
      ["service-sim snapshot export paid paid.snapshot"],
    );
  }
};

export const command = clientCommand<Snapshot>({
  name: "import",
  summary: "add the snapshot in a file; snapshot load returns to it",
  operands: "[file] [name]",
  examples: [
    "service-sim snapshot import paid.snapshot",
    "service-sim snapshot import paid.snapshot paid-2",
  ],
  call: ({ args: [file, name] }) => {
    if (file === undefined)
      throw usageError(
        "say which file, for example: snapshot import paid.snapshot",
        "service-sim snapshot import paid.snapshot",
      );
    return ["POST", "/snapshots/import", { file: textOf(file), ...defined({ name }) }];
  },
  lines: formatSaved,
});
