import { namesOf } from "../../contract/choices.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { EVENT_TYPES } from "../../contract/webhooks/events.ts";
import { asCalled } from "../text/called-as.ts";

/** Most choices named in one sentence for a terminal. */
const MOST_NAMED = 12;

const choiceIn = (list: string, found: string) => {
  const values = list.split(", ");
  if (values.length <= MOST_NAMED) return namesOf(values, found);
  const closest = closestTo(found, values);
  const hints = [
    ...(closest === undefined ? [] : [`closest: ${closest}`]),
    ...(EVENT_TYPES.every((type) => values.includes(type))
      ? [`${asCalled("service-sim webhooks trigger")} prints all`]
      : []),
  ];
  return `one of ${values.length} values${hints.length > 0 ? ` (${hints.join("; ")})` : ""}`;
};

/**
 * commander's failures in the form of every other error: what was expected, what was found.
 * commander's hooks (`exitOverride`, `configureOutput`) get a code and a finished sentence, but not
 * the words that were typed, so those are taken from the sentence.
 */
const SENTENCES: readonly (readonly [commanders: RegExp, ours: string])[] = [
  [/^unknown option '(.*)'/, "no option $1 here"],
  [
    /^missing required argument 'command'/,
    "say which command to run, for example: exec -- npm test",
  ],
  [/^missing required argument 'call'/, "say what to call, for example: api GET /customers"],
  [/^missing required argument '([aeiou].*)'/, "give an $1"],
  [/^missing required argument '(.*)'/, "give a $1"],
  [/^option '(?:-\w, )?(--[^\s']+)(?: [^']*)?' argument missing/, "$1 needs a value"],
];

const CHOICES = " is invalid. Allowed choices are ";

/** Values that are none of an option's choices, given on the command line or in a variable. */
const BAD_VALUES: readonly RegExp[] = [
  /^option '(?<name>--[^\s']+)(?: [^']*)?' argument '(?<found>.*)'$/,
  /^option '[^']*' value '(?<found>.*)' from env '(?<name>[^']*)'$/,
];

const badChoice = (text: string) => {
  const at = text.lastIndexOf(CHOICES);
  if (at < 0) return undefined;
  const list = text.slice(at + CHOICES.length).replace(/\.$/, "");
  for (const pattern of BAD_VALUES) {
    const { name, found = "" } = pattern.exec(text.slice(0, at))?.groups ?? {};
    if (name !== undefined)
      return `Expected ${name} to be ${choiceIn(list, found)} but found "${found}"`;
  }
  return undefined;
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Rewords a usage failure of commander. */
export const usageSentence = (message: string): string => {
  const text = message.replace(/^error: /, "").split("\n")[0] ?? "";
  const [pattern, ours] = SENTENCES.find(([pattern]) => pattern.test(text)) ?? [];
  const sentence = pattern && ours ? text.replace(pattern, ours).replace(/\.$/, "") : undefined;
  return sentence ?? badChoice(text) ?? capital(text);
};

/** The option of a command line that its command does not have. */
export const unknownOption = (message: string): string | undefined =>
  /unknown option '([^'=]*)/.exec(message)?.[1];
