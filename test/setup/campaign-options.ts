import { Command, InvalidArgumentError, Option } from "commander";

/** One option of a campaign's command line. */
export interface CampaignOption {
  flags: string;
  summary: string;
  /** Reads its text; a text by default. */
  read?: (text: string) => unknown;
  preset?: unknown;
  choices?: readonly string[];
}

/** The command line of a campaign. */
export interface CampaignCommand {
  /** Name of its script in `package.json`. */
  script: string;
  does: string;
  options: readonly CampaignOption[];
  /** Words behind `npm run <script> --`; none where it has no options. */
  examples: readonly string[];
}

const WRONG_USAGE = 2;

const numberFrom =
  (least: number, says: string) =>
  (text: string): number => {
    const value = Number(text);
    if (/^[0-9]+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Expected ${says} but found "${text}".`);
  };

/** Reads a number of things: at least one. */
export const wholeNumber = numberFrom(1, "a whole number above 0");

/** Reads a place in a list that is counted from 0. */
export const index = numberFrom(0, "a whole number");

/** Reads places in such a list, with commas between them. */
export const indexes = (text: string): number[] => {
  if (/^[0-9]+(,[0-9]+)*$/.test(text)) return text.split(",").map(index);
  throw new InvalidArgumentError(`Expected whole numbers such as 3,5,6 but found "${text}".`);
};

/** Ends the process with exit code 2, the reason, and where the options stand. */
export const wrongUsage = (script: string, why: string): never => {
  process.stderr.write(`error  ${why}\nnext   npm run ${script} -- --help\n`);
  return process.exit(WRONG_USAGE);
};

const optionOf = ({ flags, summary, read, preset, choices }: CampaignOption) => {
  const option = new Option(flags, summary);
  if (read) option.argParser(read);
  if (preset !== undefined) option.default(preset);
  return choices ? option.choices(choices) : option;
};

/**
 * Reads the options of a campaign. It ends the process for `--help`, with exit code 0, and for wrong
 * usage, with exit code 2 and the reason.
 */
export const campaignOptions = <Values extends object>(
  { script, does, options, examples }: CampaignCommand,
  words: readonly string[] = process.argv.slice(2),
): Values => {
  const name = `npm run ${script} --`;
  const lines = examples.map((example) => `\n  ${name} ${example}`);
  const command = new Command(name)
    .usage("[options]")
    .description(does)
    .addHelpText("after", lines.length > 0 ? `\nExamples:${lines.join("")}` : "")
    .configureOutput({
      outputError: (text, write) =>
        write(`${text.replace(/^error: /, "error  ")}next   ${name} --help\n`),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USAGE));
  for (const option of options) command.addOption(optionOf(option));
  return command.parse(words, { from: "user" }).opts<Values>();
};
