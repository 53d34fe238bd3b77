import { bashScript } from "../completion/bash.ts";
import { type CompletionTable, completionTable } from "../completion/completion-table.ts";
import { fishScript } from "../completion/fish.ts";
import { zshScript } from "../completion/zsh.ts";
import { type Command, EXIT, usageError } from "../frame/command.ts";

const SCRIPTS: Readonly<Record<string, (table: CompletionTable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const command: Command = {
  name: "completion",
  summary: "print a script that completes commands, options and their values",
  operands: "<bash|zsh|fish>",
  options: [],
  examples: [
    "service-sim completion bash > service-sim.bash",
    "service-sim completion zsh > _service-sim",
    "service-sim completion fish > service-sim.fish",
  ],
  run: async ({ args, everyCommand }, terminal) => {
    const [shell = ""] = args;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (!script)
      throw usageError(
        `Expected bash, zsh or fish but found "${shell}"`,
        'eval "$(service-sim completion bash)"',
      );
    const text = script(completionTable(await everyCommand()));
    terminal.document({ shell, script: text });
    if (!terminal.json) terminal.answer(text);
    return EXIT.done;
  },
};
