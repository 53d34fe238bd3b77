/**
 * Forms of values that two services draw for themselves, the first that fits counts
 * (spec/conform.md#lining-up).
 */
interface ValueForm {
  name: string;
  pattern: RegExp;
  /** The part of a value that must be the same on both sides. */
  keeps(text: string): string;
  /** One value of ours stands for one of theirs, wherever it occurs. */
  isBound: boolean;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const INSTANT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)";

const whole = (source: string) => new RegExp(`^(?:${source})$`);
const nothing = () => "";

const VALUE_FORMS: readonly ValueForm[] = [
  {
    name: "id",
    pattern: whole(`[A-Za-z]+:${UUID}`),
    keeps: (text) => text.slice(0, text.indexOf(":")),
    isBound: true,
  },
  { name: "uuid", pattern: whole(UUID), keeps: nothing, isBound: true },
  {
    name: "instant",
    pattern: whole(INSTANT),
    keeps: (text) => text.replace(/\d/g, "0"),
    isBound: false,
  },
  {
    name: "agent code",
    pattern: /^[A-Z]+-AGENT-[A-Z0-9]{4}-[A-Z0-9]{4}$/,
    keeps: (text) => text.slice(0, text.indexOf("-")),
    isBound: true,
  },
  {
    name: "hex",
    pattern: /^(?:0x)?(?=[0-9a-f]*[a-f])[0-9a-f]{8,}$/,
    keeps: (text) => `${text.length}`,
    isBound: true,
  },
  {
    name: "opaque",
    // A constant has no small letter, or neither a digit nor many capitals.
    pattern: /^(?=.*[a-z])(?=.*\d|(?:[^A-Z]*[A-Z]){4})[A-Za-z0-9+/_=.~-]{16,}$/,
    keeps: nothing,
    isBound: true,
  },
];

/** Members whose short values are drawn, with their form, and sentences for people. */
const DRAWN_MEMBERS: Readonly<Record<string, RegExp>> = {
  last4: /^\d{4}$/,
  reference: /^\S{4,64}$/,
  platformCardId: /^[0-9a-f]{16}$/,
  credentialId: /^[\w-]{16,}$/,
  code: /^\d{4,12}$/,
  nextCursor: /^\S+$/,
  instructionsNotes: /\S/,
};

const DRAWN_PLACE = /\/(?:fundingP|p)aymentInstructions\//;

const maskOf = (text: string) => text.replace(/[0-9]/g, "0").replace(/[A-Z]/g, "A");

/**
 * Tells whether two texts at a place are drawn by their services: short values, and the numbers of
 * accounts to pay into.
 * @param path JSON Pointer of the place
 */
const areDrawn = (path: string, [ours, theirs]: readonly [string, string]): boolean => {
  const form = DRAWN_MEMBERS[path.slice(path.lastIndexOf("/") + 1)];
  if (form?.test(ours) && form.test(theirs)) return true;
  return DRAWN_PLACE.test(path) && /\d{4}/.test(ours) && maskOf(ours) === maskOf(theirs);
};

/** Values inside a longer text: a payload to sign, a URL, a sentence. */
const EMBEDDED = new RegExp(
  `[A-Za-z]+:${UUID}|${UUID}|${INSTANT}|(?<![A-Za-z0-9])(?:0x)?[0-9a-f]{8,}(?![A-Za-z0-9])|(?<!\\d)\\d{13}(?!\\d)`,
  "g",
);

/** The form of a value; nothing for one that both services must have alike. */
const formOf = (text: string): ValueForm | undefined =>
  VALUE_FORMS.find(({ pattern }) => pattern.test(text));

/** The first place at which two answers differ. */
export interface Mismatch {
  /** JSON Pointer; empty for all of the body. */
  path: string;
  ours: string;
  theirs: string;
}

/** An answer of one side. */
export interface ComparedAnswer {
  status: number;
  /** Nothing where it is no JSON. */
  body: unknown;
}

/** Facts beside two answers that are compared. */
export interface Comparing {
  /** Time that the comparison took so far, by which spans may differ. */
  passedMs: number;
  /** Tells of a place whether a difference is meant there. */
  isMeant?(path: string): boolean;
}

interface ComparedPath extends Comparing {
  path: string;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const NONE = "nothing";
const LONGEST_SHOWN = 120;

const shown = (value: unknown): string => {
  if (value === undefined) return NONE;
  const text = JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
};

const pointerTo = (path: string, member: string | number) =>
  `${path}/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Members of an error that two services must have alike; sentences are each one's own. */
const ERROR_MEMBERS = ["status", "code", "reason"] as const;

const errorOf = (body: unknown) =>
  isObject(body)
    ? Object.fromEntries(
        ERROR_MEMBERS.flatMap((name) => (name in body ? [[name, body[name]]] : [])),
      )
    : body;

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && formOf(value)?.name === "instant";

/** Spans between the instants of one object may differ by less than this, beside the time passed. */
const SPAN_TOLERANCE_MS = 2_000;

/**
 * Lines up the answers of two services in one run: ids, times and random values are bound one to one,
 * everything else must be the same (spec/conform.md#lining-up).
 */
export class Alignment {
  private readonly theirsOf = new Map<string, string>();
  private readonly oursOf = new Map<string, string>();

  /** Finds the first difference between two answers to the same call. */
  difference(
    ours: ComparedAnswer,
    theirs: ComparedAnswer,
    comparing: Comparing,
  ): Mismatch | undefined {
    const at: ComparedPath = { ...comparing, path: "" };
    if (ours.status !== theirs.status)
      return unlessMeant(
        { path: "status", ours: `${ours.status}`, theirs: `${theirs.status}` },
        at,
      );
    const isError = ours.status >= 400;
    const [own, other] = isError
      ? [errorOf(ours.body), errorOf(theirs.body)]
      : [ours.body, theirs.body];
    return this.value(own, other, at);
  }

  private value(ours: unknown, theirs: unknown, at: ComparedPath): Mismatch | undefined {
    if (typeof ours === "string" && typeof theirs === "string")
      return this.isAlike(ours, theirs, at.path) ? undefined : mismatch(ours, theirs, at);
    if (Array.isArray(ours) && Array.isArray(theirs)) return this.list(ours, theirs, at);
    if (isObject(ours) && isObject(theirs)) return this.object(ours, theirs, at);
    return Object.is(ours, theirs) ? undefined : mismatch(ours, theirs, at);
  }

  private list(ours: readonly unknown[], theirs: readonly unknown[], at: ComparedPath) {
    for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
      const path = pointerTo(at.path, index);
      const difference = this.value(ours[index], theirs[index], { ...at, path });
      if (difference) return difference;
    }
    return undefined;
  }

  private object(ours: Json, theirs: Json, at: ComparedPath) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const path = pointerTo(at.path, name);
      const isOnBoth = name in ours && name in theirs;
      const place = { ...at, path };
      const difference = isOnBoth
        ? this.value(ours[name], theirs[name], place)
        : mismatch(ours[name], theirs[name], place);
      if (difference) return difference;
    }
    return spanMismatch(ours, theirs, at);
  }

  private isAlike(ours: string, theirs: string, path: string): boolean {
    if (areDrawn(path, [ours, theirs])) return true;
    const [form, other] = [formOf(ours), formOf(theirs)];
    if (form && form === other) {
      if (form.keeps(ours) !== form.keeps(theirs)) return false;
      return !form.isBound || this.bind(ours, theirs);
    }
    return ours === theirs || this.isAlikeWithin(ours, theirs);
  }

  /** Compares texts that have drawn values inside. */
  private isAlikeWithin(ours: string, theirs: string): boolean {
    const [own, other] = [ours.match(EMBEDDED) ?? [], theirs.match(EMBEDDED) ?? []];
    if (own.length === 0 || own.length !== other.length) return false;
    if (!sameAround(ours, theirs)) return false;
    return own.every((text, at) => this.isAlikeInside(text, other[at] ?? ""));
  }

  private isAlikeInside(ours: string, theirs: string): boolean {
    if (ours === theirs) return true;
    if (ours.length !== theirs.length) return false;
    const isNumber = /^\d+$/.test(ours) && /^\d+$/.test(theirs);
    // Milliseconds since 1970; other numbers of a text mean something.
    if (isNumber) return ours.length === 13;
    const [form, other] = [formOf(ours), formOf(theirs)];
    if (form && other && form.keeps(ours) !== other.keeps(theirs)) return false;
    return !(form?.isBound && other?.isBound) || this.bind(ours, theirs);
  }

  /** True when the two values stand for each other, from now on at least. */
  private bind(ours: string, theirs: string): boolean {
    const [knownTheirs, knownOurs] = [this.theirsOf.get(ours), this.oursOf.get(theirs)];
    if (knownTheirs !== undefined || knownOurs !== undefined)
      return knownTheirs === theirs && knownOurs === ours;
    this.theirsOf.set(ours, theirs);
    this.oursOf.set(theirs, ours);
    return true;
  }
}

const unlessMeant = (difference: Mismatch, { isMeant }: ComparedPath) =>
  isMeant?.(difference.path) ? undefined : difference;

const mismatch = (ours: unknown, theirs: unknown, at: ComparedPath): Mismatch | undefined =>
  unlessMeant({ path: at.path, ours: shown(ours), theirs: shown(theirs) }, at);

const sameAround = (ours: string, theirs: string) =>
  ours.replace(EMBEDDED, "\u0000") === theirs.replace(EMBEDDED, "\u0000");

/** Compares how far the instants of an object lie apart. */
const spanMismatch = (ours: Json, theirs: Json, at: ComparedPath): Mismatch | undefined => {
  const { path, passedMs } = at;
  const names = Object.keys(ours).filter(
    (name) => isInstant(ours[name]) && isInstant(theirs[name]),
  );
  const [first, ...others] = names;
  if (first === undefined) return undefined;
  const spanIn = (side: Json, name: string) =>
    Date.parse(side[name] as string) - Date.parse(side[first] as string);
  for (const name of others) {
    const [own, other] = [spanIn(ours, name), spanIn(theirs, name)];
    if (Math.abs(own - other) > SPAN_TOLERANCE_MS + passedMs)
      return unlessMeant(
        {
          path: pointerTo(path, name),
          ours: `${own / 1000} s after ${first}`,
          theirs: `${other / 1000} s after ${first}`,
        },
        at,
      );
  }
  return undefined;
};
