import { defined } from "../../contract/core/defined.ts";
import type { Command, CommandGroup, CommandList, ListedCommand } from "./command.ts";

/** Commands by name, each loaded only when it is called. */
export type CommandTable = Readonly<
  Record<string, () => Promise<{ command: Command | CommandGroup }>>
>;

/** Every command of a table and of its groups, in the table's order. */
export const listCommands = async (table: CommandTable): Promise<CommandList> => {
  const groups: Pick<CommandGroup, "name" | "summary" | "alone">[] = [];
  const commands: ListedCommand[] = [];
  for (const load of Object.values(table)) {
    const { command } = await load();
    if ("run" in command) {
      commands.push({ words: command.name, command });
      continue;
    }
    const { name, summary, alone } = command;
    groups.push({ name, summary, ...defined({ alone }) });
    for (const below of Object.values(command.subcommands)) {
      const { command: sub } = await below();
      commands.push({ words: `${command.name} ${sub.name}`, command: sub });
    }
  }
  return { groups, commands };
};
