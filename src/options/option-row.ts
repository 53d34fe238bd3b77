import {
  CLOCK_FORM,
  CLOCK_MODES,
  type ClockWord,
  clockOf,
} from "../contract/control/clock-modes.ts";
import { CODE_CHOICES_WORDS, isCodeChoice } from "../contract/core/code-choices.ts";

/** A demand on a value of the library: in words, and as a test. */
export interface Form<Value> {
  says: string;
  fits: (value: unknown) => boolean;
  /** All values there are; a wrong text is then no secret. */
  choices?: readonly Value[];
}

/** An option of a command. Its environment variable is `SERVICE_SIM_` and its name. */
export interface CommandOption {
  /** Flags as commander reads them: `--port <number>`, `-i, --include`. */
  flags: string;
  summary: string;
  default?: string;
  choices?: readonly string[];
  /** Values that shells offer, where others are taken too; a function where they are read from disk. */
  completes?: readonly string[] | (() => readonly string[]);
  /** No variable: for options that hold a secret or that apply to a single call. */
  noEnvironment?: boolean;
  /** Left out of the help of its command; the reference has it. */
  isHidden?: true;
  /** May be given several times; the values are in `Invocation.lists`. */
  repeats?: boolean;
}

/** Names `--webhook-key <pem file>` as programs and config files do: `webhookKey`. */
export const optionName = (flags: string) =>
  (/--([a-z-]+)/.exec(flags)?.[1] ?? "").replace(/-([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );

/** The shortest and the longest span that an option takes. */
export interface SpanBounds {
  minMs: number;
  maxMs: number;
}

/** Facts about an option for the commands that open a simulator. */
export interface Use {
  /** Bounds of a span like `5s`, which the library takes in milliseconds. */
  span?: SpanBounds;
  /** The largest number that the command line takes. */
  max?: number;
  /** The content of a file that the command line names in place of the value. */
  file?: "brand" | "certificates" | "key";
  /** No part of a recorded run, a secret, or read when it is needed. */
  notRecorded?: boolean;
}

/** An option of the library. */
export interface LibraryOption<Value> extends Use {
  form: Form<Value>;
}

/** An option of the library and of the command line. */
export interface SharedOption<Value> extends LibraryOption<Value>, CommandOption {}

/** An option of the command line alone. */
export type FlagOption = CommandOption & Use;

/** An option of the library alone. */
export const libraryOption = <Value>(form: Form<Value>, use: Use = {}): LibraryOption<Value> => ({
  form,
  ...use,
});

/** An option of the library and of the command line, which takes the choices of the form. */
export const option = <Value>(form: Form<Value>, flag: FlagOption): SharedOption<Value> => ({
  form,
  ...(form.choices && !flag.completes && { choices: form.choices.map(String) }),
  ...flag,
});

/** An option of the command line alone. */
export const flagOption = (flag: FlagOption): FlagOption => flag;

const isText = (value: unknown) => typeof value === "string";
const isList = (value: unknown) => Array.isArray(value) && value.every(isText);

/** Whether a value is an object with members. */
export const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const TEXT: Form<string> = { says: "text", fits: isText };

export const SWITCH: Form<boolean> = {
  says: "true or false",
  fits: (value) => typeof value === "boolean",
};

export const LIST: Form<readonly string[]> = { says: "a list of texts", fits: isList };

/** A function with this type. */
export const calling = <Value>(): Form<Value> => ({
  says: "a function",
  fits: (value) => typeof value === "function",
});

export const oneOf = <Value extends string>(choices: readonly Value[]): Form<Value> => ({
  says: `one of ${choices.join(", ")}`,
  fits: (value) => choices.some((one) => one === value),
  choices,
});

/** Text, or a value of another kind. */
export const textOr = <Other>(
  says: string,
  fits: (value: unknown) => boolean,
): Form<string | Other> => ({
  says,
  fits: (value) => isText(value) || fits(value),
});

const isFrom1To = (max: number, value: unknown) =>
  typeof value === "number" && value >= 1 && value <= max;

export const numberTo = (max: number): Form<number> => ({
  says: `a number from 1 to ${max}`,
  fits: (value) => isFrom1To(max, value),
});

export const wholeNumberTo = (max: number): Form<number> => ({
  says: `a whole number from 1 to ${max}`,
  fits: (value) => Number.isInteger(value) && isFrom1To(max, value),
});

/** A span in whole milliseconds. */
export const spanWithin = ({ minMs, maxMs }: SpanBounds): Form<number> => ({
  says: `a whole number from ${minMs} to ${maxMs}`,
  fits: (value) => Number.isInteger(value) && Number(value) >= minMs && Number(value) <= maxMs,
});

/** A clock as `SimulatorOptions` and the command line write it. */
export const CLOCK: Form<ClockWord> = {
  says: CLOCK_FORM,
  fits: (value) => typeof value === "string" && clockOf(value) !== undefined,
  choices: CLOCK_MODES,
};

/** Codes of the mails. */
export const CODES: Form<"fixed" | "random" | (string & {})> = {
  says: CODE_CHOICES_WORDS,
  fits: isCodeChoice,
};
