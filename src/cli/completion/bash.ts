import frame from "./bash-frame.sh?raw";
import {
  type CompletedCommand,
  type CompletionTable,
  filled,
  patternsOf,
  placesOf,
  quoted,
  type Values,
  valuedWords,
} from "./completion-table.ts";

const assign = (values: Values) => {
  if (values.kind === "words") return `offered=${quoted(values.words.join(" "))}`;
  return values.kind === "files" ? "files=1" : ":";
};

const valueLines = (command: CompletedCommand) =>
  valuedWords(command).map(
    ({ word, values }) => `    ${quoted(`${command.words} ${word}`)}) ${assign(values)} ;;`,
  );

const commandLine = ({ words, options, operands }: CompletedCommand) => {
  const flags = options.map(({ flag }) => flag);
  const offered = operands.kind === "words" ? [...operands.words, ...flags] : flags;
  const files = operands.kind === "files" ? "; files=1" : "";
  return `      ${quoted(words)}) offered=${quoted(offered.join(" "))}${files} ;;`;
};

const placeLine = (table: CompletionTable, place: string) => {
  const words = table.words.filter(({ after }) => after === place).map(({ word }) => word);
  return `      ${quoted(place)}) offered=${quoted(words.join(" "))} ;;`;
};

/** A bash function for `eval`, which looks up the words before the cursor. */
export const bashScript = (table: CompletionTable): string =>
  filled(frame, {
    ...patternsOf(table),
    values: table.commands.flatMap(valueLines).join("\n"),
    places: placesOf(table)
      .map((place) => placeLine(table, place))
      .join("\n"),
    commands: table.commands.map(commandLine).join("\n"),
  });
