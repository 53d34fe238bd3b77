import type { Snapshot } from "../../../contract/control/snapshots.ts";
import { defined } from "../../../contract/core/defined.ts";
import { readUserText } from "../../../machine/user-text.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
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

export const command: Command = {
  name: "import",
  summary: "keep the snapshot that a file has; snapshot load continues from it",
  operands: "[file] [name]",
  options: CLIENT_OPTIONS,
  examples: [
    "service-sim snapshot import paid.snapshot",
    "service-sim snapshot import paid.snapshot paid-2",
  ],
  run: async (invocation, terminal) => {
    const [file, name] = invocation.args;
    if (file === undefined)
      throw usageError(
        "say which file, for example: snapshot import paid.snapshot",
        "service-sim snapshot import paid.snapshot",
      );
    const body = { file: textOf(file), ...defined({ name }) };
    const { client } = findInstance(invocation);
    const reply = await reach(client.post<Snapshot>("/snapshots/import", body));
    terminal.document(reply);
    terminal.print(...formatSaved(reply, terminal.style));
    return EXIT.done;
  },
};
