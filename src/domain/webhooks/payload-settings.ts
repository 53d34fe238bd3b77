import { shownValue, valueAt } from "../../contract/core/shown-value.ts";
import { IN_OUR_WORDS } from "../../contract/expectations.ts";
import { eventShape } from "../../contract/webhooks/event-payloads.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import { refuse } from "../core/refusal.ts";

/** An event before it becomes bytes. */
export interface Envelope {
  id: string;
  type: EventType;
  timestamp: string;
  data: object;
}

const MEMBERS: readonly string[] = ["id", "type", "timestamp", "data"];

/** A name that would reach beyond the object it is set in. */
const UNFIT_NAMES: readonly string[] = ["__proto__", "constructor", "prototype"];

const wrong = (setting: string, expected: string): never =>
  refuse("INVALID_INPUT", { field: "set", value: setting }, `Expected ${expected} in "${setting}"`);

/** `data.fundingSources[0]` and `data.fundingSources.0` are the same; without `data` it is meant. */
const stepsOf = (path: string, setting: string): string[] => {
  const steps = path
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((step, at) => step !== "" || at > 0);
  if (steps.length === 0 || steps.some((step) => step === "" || UNFIT_NAMES.includes(step)))
    return wrong(setting, "a path like data.status");
  return MEMBERS.includes(steps[0] as string) ? steps : ["data", ...steps];
};

/** Text stays text where text stood before; elsewhere JSON is what it says, and the rest is text. */
const valueFor = (text: string, before: unknown): unknown => {
  const isQuoted = /^".*"$/s.test(text);
  if (typeof before === "string" && !isQuoted) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const put = (
  target: unknown,
  [step = "", ...rest]: readonly string[],
  { text, setting }: { text: string; setting: string },
): unknown => {
  const given = { text, setting };
  if (Array.isArray(target)) {
    const at = Number(step);
    if (!/^\d+$/.test(step) || at > target.length)
      return wrong(setting, `a place from 0 to ${target.length}`);
    const value = rest.length > 0 ? put(target[at], rest, given) : valueFor(text, target[at]);
    return target.toSpliced(at, 1, value);
  }
  if (target !== undefined && (typeof target !== "object" || target === null))
    return wrong(setting, `a path without .${step}, which stands below no object,`);
  const members = (target ?? {}) as Record<string, unknown>;
  const before = Object.hasOwn(members, step) ? members[step] : undefined;
  const value = rest.length > 0 ? put(before, rest, given) : valueFor(text, before);
  return { ...members, [step]: value };
};

const requirePublished = (envelope: Envelope, type: EventType): Envelope => {
  const parsed = eventShape(type).safeParse(envelope, IN_OUR_WORDS);
  const [issue] = parsed.error?.issues ?? [];
  if (!issue) return envelope;
  const field = issue.path.join(".");
  const found = valueAt(envelope, issue.path);
  return refuse(
    "INVALID_INPUT",
    { field: "set", path: field },
    `${issue.message} in ${field} of ${type} but found ${shownValue(found)}`,
  );
};

/**
 * An event with some of its members set, each `path=value`. Refuses what would no longer have the
 * shape that its type publishes: the raw form is there for that.
 */
export const withSettings = (envelope: Envelope, settings: readonly string[]): Envelope => {
  if (settings.length === 0) return envelope;
  const changed = settings.reduce<unknown>((all, setting) => {
    const at = setting.indexOf("=");
    if (at < 1) return wrong(setting, "path=value");
    const text = setting.slice(at + 1);
    return put(all, stepsOf(setting.slice(0, at), setting), { text, setting });
  }, envelope);
  return requirePublished(changed as Envelope, envelope.type);
};
