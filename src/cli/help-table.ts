import { COMMANDS } from "./command-sections.ts";
import { variableOf } from "./frame/command.ts";
import { listCommands } from "./frame/command-table.ts";
import type { HelpTable } from "./frame/quick-answer.ts";
import { helpOf } from "./program.ts";

/** The table of all help, which the build writes beside the program. */
export const helpTable = async (): Promise<HelpTable> => {
  const { groups, commands } = await listCommands(COMMANDS);
  const names = ["", ...groups.map(({ name }) => name), ...commands.map(({ words }) => words)];
  const texts: Record<string, string> = {};
  for (const words of names) texts[words] = await helpOf(words.split(" ").filter(Boolean));
  const switches = commands
    .flatMap(({ command }) => command.options)
    .filter(({ flags, noEnvironment }) => !flags.includes("<") && !noEnvironment)
    .map(({ flags }) => variableOf(flags));
  return { switches: [...new Set(switches)], texts };
};
