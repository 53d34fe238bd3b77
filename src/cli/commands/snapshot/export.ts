import { writeFileSync } from "node:fs";
import { inGroups } from "../../../contract/core/digit-groups.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

const stored = (file: string, text: string) => {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(
      { code: "FILE_NOT_WRITTEN", exitCode: EXIT.notDone },
      `${file} could not be written: ${(error as Error).message}`,
      ["service-sim snapshot export paid paid.snapshot"],
    );
  }
};

export const command: Command = {
  name: "export",
  summary: "write a snapshot to a file, without keys and secrets",
  operands: "[name] [file]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim snapshot export paid paid.snapshot"],
  run: async (invocation, terminal) => {
    const [name, file] = invocation.args;
    if (name === undefined || file === undefined)
      throw usageError(
        "say which snapshot and which file, for example: snapshot export paid paid.snapshot",
        "service-sim snapshot list",
      );
    const { client } = findInstance(invocation);
    const path = `/snapshots/${encodeURIComponent(name)}/export`;
    const text = await reach(client.get<string>(path));
    stored(file, text);
    const bytes = Buffer.byteLength(text);
    terminal.document({ name, file, bytes });
    terminal.print(
      `${terminal.style.mark("done")} ${name} written to ${file}: ${inGroups(bytes)} bytes`,
      `  service-sim snapshot import ${file}    adds it, here or in another simulator`,
    );
    return EXIT.done;
  },
};
