import { basename } from "node:path";
import { userTextOf } from "../../machine/user-text.ts";
import { usageError } from "../frame/command.ts";

/** Separators of a field and the ways in which it is sent (decisions/api-fields.md). */
const SEPARATORS = {
  "=": "text",
  ":=": "json",
  "==": "query",
  "@": "file",
} as const;

type Separator = keyof typeof SEPARATORS;

/** A field as it was typed: `lockedCurrencyAmount:=25000`. */
export interface ApiField {
  kind: (typeof SEPARATORS)[Separator];
  /** Its name, or the way to it: `source.accountId`, `fundingSources[0]`. */
  path: string;
  value: string;
}

const HELP = "service-sim api --help";

const FIELD = /^([^=@:]+)(:=|==|=|@)(.*)$/s;

/** Whether a word has the form of a field. */
export const isField = (word: string) => FIELD.test(word);

/** Splits a field at its first separator. */
export const fieldOf = (word: string): ApiField => {
  const [, path = "", separator, value = ""] = FIELD.exec(word) ?? [];
  if (separator !== undefined) return { kind: SEPARATORS[separator as Separator], path, value };
  const isHeader = /^[\w-]+:/.test(word);
  throw usageError(
    `Expected a field like name=value but found "${word}"`,
    isHeader ? `service-sim api … -H '${word}'    sends a header` : HELP,
  );
};

/** One step of a path: a member, a place in a list, or its end. */
type Step = string | number | typeof END;

const END = Symbol("end of a list");

/** Names that would reach beyond the object they are set in. */
const UNFIT_NAMES: readonly string[] = ["__proto__", "constructor", "prototype"];

const STEP = /\.?([^.[\]]+)|\[([^[\]]*)\]/gy;

const badPath = (path: string) =>
  usageError(`Expected a path like source.accountId or items[0].name but found "${path}"`, HELP);

/** Most places of a list that a field may name. */
const MAX_PLACE = 9999;

const stepOf = (name: string | undefined, place: string | undefined): Step => {
  if (name !== undefined) return name;
  if (place === "") return END;
  return /^\d{1,4}$/.test(place ?? "") ? Number(place) : (place ?? "");
};

const stepsOf = (path: string): Step[] => {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  let read = 0;
  for (let match = STEP.exec(path); match; match = STEP.exec(path)) {
    const isDotted = match[0].startsWith(".");
    if (isDotted === (read === 0) && isDotted) throw badPath(path);
    steps.push(stepOf(match[1], match[2]));
    read = STEP.lastIndex;
  }
  const isWhole = read === path.length && typeof steps[0] === "string";
  if (!isWhole || steps.some((step) => UNFIT_NAMES.includes(String(step)))) throw badPath(path);
  return steps;
};

/** Puts a value at a path. Earlier fields of the same object or list stay. */
class FieldPlacement {
  readonly path: string;
  readonly value: unknown;

  constructor(path: string, value: unknown) {
    this.path = path;
    this.value = value;
  }

  into(target: unknown, [step, ...rest]: readonly Step[]): unknown {
    if (step === undefined) {
      if (typeof target === "object" && target !== null) throw this.clash();
      return this.value;
    }
    return typeof step === "string"
      ? this.intoObject(target, step, rest)
      : this.intoList(target, step, rest);
  }

  private intoObject(target: unknown, step: string, rest: readonly Step[]) {
    const isObject = typeof target === "object" && target !== null && !Array.isArray(target);
    if (target !== undefined && !isObject) throw this.clash();
    const members = (target ?? {}) as Record<string, unknown>;
    return { ...members, [step]: this.into(members[step], rest) };
  }

  private intoList(target: unknown, step: number | typeof END, rest: readonly Step[]) {
    if (target !== undefined && !Array.isArray(target)) throw this.clash();
    const items: readonly unknown[] = target ?? [];
    const at = step === END ? endOf(items, rest) : step;
    if (at > Math.min(items.length, MAX_PLACE))
      throw usageError(
        `Expected an index from 0 to ${items.length} but found "${this.path}"`,
        HELP,
      );
    return items.toSpliced(at, 1, this.into(items[at], rest));
  }

  private clash() {
    return usageError(
      `Expected either object or list fields but found ${this.path} after another form`,
      HELP,
    );
  }
}

/** A member goes to the last object of a list, or begins a new one when that has it already. */
const endOf = (items: readonly unknown[], [next]: readonly Step[]) => {
  const last = items.at(-1);
  const goesOn =
    typeof next === "string" &&
    typeof last === "object" &&
    last !== null &&
    !Object.hasOwn(last, next);
  return goesOn ? items.length - 1 : items.length;
};

const jsonOf = ({ path, value }: ApiField, text = value): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(
      `Expected JSON after ${path}:= but found ${JSON.stringify(text.slice(0, 80))}`,
      `${path}=${value}    sends it as text`,
    );
  }
};

type ReadFile = (path: string) => Promise<Uint8Array>;

const valueIn = async (field: ApiField, readFile: ReadFile): Promise<unknown> => {
  if (field.kind !== "json") return field.value;
  if (!field.value.startsWith("@")) return jsonOf(field);
  return jsonOf(field, userTextOf(await readFile(field.value.slice(1))));
};

/** The JSON body that fields describe. */
export const bodyOfFields = async (
  fields: readonly ApiField[],
  readFile: ReadFile,
): Promise<unknown> => {
  let body: unknown;
  for (const field of fields)
    body = new FieldPlacement(field.path, await valueIn(field, readFile)).into(
      body,
      stepsOf(field.path),
    );
  return body;
};

/** The form that fields describe: files and text (multipart/form-data). */
export const formOfFields = async (
  fields: readonly ApiField[],
  readFile: ReadFile,
): Promise<{ bytes: Uint8Array; type: string }> => {
  const form = new FormData();
  for (const { kind, path, value } of fields)
    if (kind === "file")
      form.append(path, new Blob([Uint8Array.from(await readFile(value))]), basename(value));
    else form.append(path, value);
  const response = new Response(form);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, type: response.headers.get("content-type") ?? "" };
};

/** Fields typed as text whose value is JSON of another type, such as `amount=250000`. */
export const looksLikeJson = ({ kind, value }: ApiField) =>
  kind === "text" && /^(-?\d+(\.\d+)?|true|false|null|[[{].*[\]}])$/s.test(value);
