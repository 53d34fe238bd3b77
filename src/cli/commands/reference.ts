import { controlCalls } from "../../control/control-surface.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { OTHER_VARIABLES } from "../frame/environment.ts";
import { exitCodes, referenceOf } from "../frame/reference.ts";

export const command: Command = {
  name: "reference",
  summary: "print every command, option, variable, exit code and control call, as Markdown",
  options: [],
  examples: ["service-sim reference", "service-sim reference --json"],
  run: async ({ everyCommand }, terminal) => {
    const list = await everyCommand();
    const calls = controlCalls();
    terminal.document({
      commands: list.commands.map(({ words, command: { run: _, ...fields } }) => ({
        words,
        ...fields,
      })),
      variables: OTHER_VARIABLES,
      exitCodes: exitCodes(),
      control: calls,
    });
    if (!terminal.json) terminal.answer(referenceOf(list, calls).join("\n"));
    return EXIT.done;
  },
};
