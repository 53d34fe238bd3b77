import { runInProcess } from "./in-process.ts";

/** The words of a command, and the examples of its help. */
export interface CommandHelp {
  words: string;
  examples: readonly string[];
}

/** The help of a group of commands. */
export interface GroupHelp {
  name: string;
  help: string;
  /** Names of the commands below it. */
  below: readonly string[];
}

const helpOf = async (words = "") => {
  const args = [...words.split(" ").filter(Boolean), "--help"];
  const { code, stdout, stderr } = await runInProcess(args);
  if (code !== 0 || stderr !== "")
    throw new Error(`Expected the help of ${words} but found ${code}, ${stderr}`);
  return stdout;
};

const NO_COMMANDS = /^(Options|Fields|Examples|Usage)\b/;

/** The sections of commands, each below its heading. */
export const sectionsIn = (help: string) =>
  help
    .split("\n\n")
    .filter((block) => /^[A-Z][\w ]*:\n/.test(block) && !NO_COMMANDS.test(block))
    .map((block) => ({ heading: block.slice(0, block.indexOf(":")), text: block }));

const commandsOf = (help: string) =>
  sectionsIn(help)
    .map(({ text }) => text)
    .join("\n");

/** Names in front of the summaries of a help, and whether each is a group of further ones. */
export const namesIn = (help: string) =>
  [...commandsOf(help).matchAll(/^ {2}([a-z]+) (\[options\])?/gm)].map(([, name, options]) => ({
    name: `${name}`,
    isGroup: options === undefined,
  }));

export const examplesIn = (help: string) =>
  help
    .slice(help.indexOf("\nExamples:\n") + "\nExamples:\n".length)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Reads the help of the program, of each group, and of each command that can be run. */
export const readHelps = async () => {
  const top = await helpOf();
  const names = namesIn(top);
  const groups: GroupHelp[] = [];
  for (const { name, isGroup } of names) {
    if (!isGroup) continue;
    const help = await helpOf(name);
    groups.push({ name, help, below: namesIn(help).map((one) => one.name) });
  }
  const words = [
    ...names.filter(({ isGroup }) => !isGroup).map(({ name }) => name),
    ...groups.flatMap(({ name, below }) => below.map((word) => `${name} ${word}`)),
  ];
  const commands: CommandHelp[] = [];
  for (const one of words) commands.push({ words: one, examples: examplesIn(await helpOf(one)) });
  return { top, groups, commands };
};
