/**
 * commander's failures in the form of every other error: what was expected, what was found.
 * commander's hooks (`exitOverride`, `configureOutput`) get a code and a finished sentence, but not
 * the words that were typed, so those are taken from the sentence.
 */
const SENTENCES: readonly (readonly [commanders: RegExp, ours: string])[] = [
  [/^unknown command '(.*)'/, 'no command "$1"'],
  [/^unknown option '(.*)'/, "no option $1 here"],
  [/^too many .* Expected ([0-9]+ arguments?) but got ([0-9]+)/, "Expected $1 but found $2"],
  [
    /^missing required argument 'command'/,
    "say which command to run, for example: exec -- npm test",
  ],
  [/^missing required argument '([aeiou].*)'/, "give an $1"],
  [/^missing required argument '(.*)'/, "give a $1"],
  [/^option '(--\S+).*' argument missing/, "$1 needs a value"],
  [
    /^option '(--\S+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\./,
    'Expected $1 to be one of $3 but found "$2"',
  ],
  [
    /^option .* value '(.*)' from env '(.*)' is invalid\. Allowed choices are (.*)\./,
    'Expected $2 to be one of $3 but found "$1"',
  ],
];

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Rewords a usage failure; commander's suggestion goes into `next`. */
export const usageSentence = (message: string): { sentence: string; guess: string | undefined } => {
  const [text = "", hint = ""] = message.replace(/^error: /, "").split("\n");
  const [pattern, ours] = SENTENCES.find(([pattern]) => pattern.test(text)) ?? [];
  return {
    sentence: pattern && ours ? text.replace(pattern, ours).replace(/\.$/, "") : capital(text),
    guess: /\(Did you mean (?:one of )?(.*)\?\)/.exec(hint)?.[1],
  };
};
