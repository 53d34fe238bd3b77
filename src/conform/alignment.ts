import { areDrawn, EMBEDDED, formOf } from "./value-forms.ts";

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
      const found = this.value(ours[index], theirs[index], { ...at, path });
      if (found) return found;
    }
    return undefined;
  }

  private object(ours: Json, theirs: Json, at: ComparedPath) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const path = pointerTo(at.path, name);
      const isOnBoth = name in ours && name in theirs;
      const place = { ...at, path };
      const found = isOnBoth
        ? this.value(ours[name], theirs[name], place)
        : mismatch(ours[name], theirs[name], place);
      if (found) return found;
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
    const [known, taken] = [this.theirsOf.get(ours), this.oursOf.get(theirs)];
    if (known !== undefined || taken !== undefined) return known === theirs && taken === ours;
    this.theirsOf.set(ours, theirs);
    this.oursOf.set(theirs, ours);
    return true;
  }
}

const unlessMeant = (found: Mismatch, { isMeant }: ComparedPath) =>
  isMeant?.(found.path) ? undefined : found;

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
