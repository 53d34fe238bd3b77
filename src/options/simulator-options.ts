import { closestTo } from "../contract/core/closest.ts";
import { type Form, isObject, type LibraryOption, TEXT, type Use } from "./option-row.ts";
import { START_OPTIONS, type StartOptions } from "./start-options.ts";

type LibraryName = {
  [Key in keyof StartOptions]: StartOptions[Key] extends { form: unknown } ? Key : never;
}[keyof StartOptions];

/** Values of these rows. It has the form of `Pick`, with which members keep their docstrings. */
type ValuesOf<Rows, Keys extends keyof Rows> = {
  [Each in Keys]?: Rows[Each] extends LibraryOption<infer Value> ? Value : never;
};

/**
 * Options of a start; each has a default, and the state is kept in memory by default. For existing
 * state, an omitted option stays as it was. A seed, instant or fixture that differs from the
 * state's is refused unless `fresh` is set.
 */
export type SimulatorOptions = ValuesOf<StartOptions, LibraryName>;

/** Raised for an unusable option; the message says what was expected. */
export class OptionError extends Error {
  override readonly name = "OptionError";
  /** The option that the message is about. */
  readonly option: keyof SimulatorOptions | undefined;

  constructor(message: string, option?: keyof SimulatorOptions, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.option = option;
  }
}

export const shownText = (text: string) => `"${text}"`;

/** An error for an option with an unusable value. */
export const unfit = (option: keyof SimulatorOptions, wanted: string, found: string) =>
  new OptionError(`Expected ${option} to be ${wanted} but found ${found}`, option);

/** Names a wrong value by its kind, since it may be a secret. */
const kindOf = (value: unknown) => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a Date";
  if (typeof value === "number" || typeof value === "boolean") return `a ${typeof value}`;
  return { string: "text", object: "an object", function: "a function" }[String(typeof value)];
};

const shown = ({ choices }: Form<unknown>, value: unknown) =>
  choices && typeof value === "string" ? `"${value}"` : kindOf(value);

/** Names of the options that the library takes. */
const NAMES = Object.keys(START_OPTIONS).filter(
  (name) => "form" in START_OPTIONS[name as keyof StartOptions],
) as (keyof SimulatorOptions)[];

/**
 * Refuses an option that does not exist and a value of another kind than its option takes.
 * @throws OptionError
 */
export const requireForms = (options: unknown) => {
  if (!isObject(options))
    throw new OptionError(`Expected an object with options but found ${kindOf(options)}`);
  for (const [name, value] of Object.entries(options as object)) {
    const known = NAMES.find((option) => option === name);
    if (known === undefined) throw unknownOption(name);
    const { form } = START_OPTIONS[known];
    if (value !== undefined && !form.fits(value))
      throw new OptionError(
        `Expected ${name} to be ${form.says} but found ${shown(form, value)}`,
        known,
      );
  }
};

const unknownOption = (name: string) => {
  const closest = closestTo(name, NAMES as readonly string[]);
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  return new OptionError(`Expected an option of createSimulator but found ${name}${hint}`);
};

const LISTEN_FORMS: Readonly<Record<string, Form<unknown>>> = {
  port: {
    says: "a number from 0 to 65535, or auto",
    fits: (value) => value === "auto" || (/^\d{1,5}$/.test(`${value}`) && Number(value) <= 65_535),
  },
  host: TEXT,
};

/**
 * Refuses a port or a host that nothing can listen on.
 * @throws OptionError
 */
export const requireListenForms = (options: object) => {
  if (!isObject(options))
    throw new OptionError(
      `Expected an object like { port: 4747 } in listen but found ${kindOf(options)}`,
    );
  for (const [name, value] of Object.entries(options)) {
    const form = LISTEN_FORMS[name];
    if (form && value !== undefined && !form.fits(value))
      throw new OptionError(
        `Expected ${name} to be ${form.says} but found ${JSON.stringify(value)}`,
      );
  }
};

const isRecorded = (name: string) => {
  const row: Use | undefined = START_OPTIONS[name as keyof StartOptions];
  return !row?.notRecorded;
};

/** The options of a start that are part of its run. */
export const recordedOptions = (options: SimulatorOptions): SimulatorOptions =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => isRecorded(name) && typeof value !== "function",
    ),
  );
