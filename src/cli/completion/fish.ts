import type {
  CompletedCommand,
  CompletedOption,
  CompletionTable,
  Values,
} from "./completion-table.ts";

/** Quotes a word for fish. */
const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const line = (condition: string, rest: string) =>
  `complete -c service-sim -n ${quoted(condition)} ${rest}`;

const wanted = (values: Values | undefined) => {
  if (values === undefined) return "";
  if (values.kind === "words") return ` -x -a ${quoted(values.words.join(" "))}`;
  return values.kind === "files" ? " -r -F" : " -x";
};

const optionLine = (words: string, { flag, summary, values }: CompletedOption) =>
  line(
    `__service_sim_called ${words}`,
    `-l ${flag.slice("--".length)}${wanted(values)} -d ${quoted(summary)}`,
  );

const operandLines = ({ words, operands, after, runsAnother }: CompletedCommand) => {
  const called = `__service_sim_called ${words}`;
  if (runsAnother)
    return [
      line(
        `${called}; and contains -- -- (commandline -opc)`,
        "-F -a '(complete -C (commandline -ct))'",
      ),
    ];
  if (after.length > 0 && operands.kind === "words")
    return [
      line(`__service_sim_after ${words}`, `-a ${quoted(operands.words.join(" "))}`),
      ...after.map(({ word, values }) =>
        line(`__service_sim_after ${words} ${word}`, wanted(values).trim()),
      ),
    ];
  if (operands.kind === "words") return [line(called, `-a ${quoted(operands.words.join(" "))}`)];
  return operands.kind === "files" ? [line(called, "-F")] : [];
};

const wordLine = ({ after, word, summary }: CompletionTable["words"][number]) => {
  const description = `-d ${quoted(summary)}`;
  return word.startsWith("--")
    ? line("__service_sim_after", `-l ${word.slice("--".length)} ${description}`)
    : line(`__service_sim_after ${after}`.trim(), `-a ${word} ${description}`);
};

const FRAME = `# fish completion of service-sim. Kept for good by
#   service-sim completion fish > ~/.config/fish/completions/service-sim.fish
function __service_sim_after
    set -l words (commandline -opc)
    set -e words[1]
    test "$words" = "$argv"
end
function __service_sim_called
    set -l words (commandline -opc)
    set -e words[1]
    set -l count (count $argv)
    test (count $words) -ge $count; and test "$words[1..$count]" = "$argv"
end
complete -c service-sim -e
complete -c service-sim -f`;

/** fish tests the words before the cursor with each line's condition. */
export const fishScript = ({ words, commands }: CompletionTable): string =>
  [
    FRAME,
    ...words.map(wordLine),
    ...commands.flatMap((command) => [
      ...operandLines(command),
      ...command.options.map((option) => optionLine(command.words, option)),
    ]),
  ].join("\n");
