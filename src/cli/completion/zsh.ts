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
import frame from "./zsh-frame.zsh?raw";

/** A word and its summary as `_describe` reads them: separated by a colon. */
const described = (word: string, summary: string) =>
  quoted(`${word.replaceAll(":", "\\:")}:${summary}`);

const assign = (values: Values) => {
  if (values.kind === "words") return `offered=(${values.words.map(quoted).join(" ")})`;
  return values.kind === "files" ? "files=1" : ":";
};

const valueLines = (command: CompletedCommand) =>
  valuedWords(command).map(
    ({ word, values }) => `    (${quoted(`${command.words} ${word}`)}) ${assign(values)} ;;`,
  );

const commandLines = ({ words, options, operands }: CompletedCommand) => [
  `      (${quoted(words)})`,
  ...(operands.kind === "words" ? [`        ${assign(operands)}`] : []),
  ...(operands.kind === "files" ? ["        files=1"] : []),
  "        offered+=(",
  ...options.map(({ flag, summary }) => `          ${described(flag, summary)}`),
  "        ) ;;",
];

const placeLines = (table: CompletionTable, place: string) => [
  `      (${quoted(place)})`,
  "        offered=(",
  ...table.words
    .filter(({ after }) => after === place)
    .map(({ word, summary }) => `          ${described(word, summary)}`),
  "        ) ;;",
];

/** A zsh function for `compinit`: evaluated, or saved as `_service-sim` in a folder of `fpath`. */
export const zshScript = (table: CompletionTable): string =>
  filled(frame, {
    ...patternsOf(table),
    values: table.commands.flatMap(valueLines).join("\n"),
    places: placesOf(table)
      .flatMap((place) => placeLines(table, place))
      .join("\n"),
    commands: table.commands.flatMap(commandLines).join("\n"),
  });
