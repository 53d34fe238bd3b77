import { defined } from "../../contract/core/defined.ts";
import { shownValue, valueAt } from "../../contract/core/shown-value.ts";
import { IN_OUR_WORDS } from "../../contract/expectations.ts";
import { eventShape } from "../../contract/webhooks/event-payloads.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import type { Vector } from "../../contract/webhooks/lab-vectors.ts";
import {
  type Draft,
  instant,
  type LabOrigin,
  type Moment,
  type Rule,
  type View,
} from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { revisionOf } from "../core/revision.ts";
import { setTimer } from "../core/schedule.ts";
import { newExamplePayment, outgoingExample, type PaymentState } from "./example-payments.ts";
import { exampleIn } from "./later-examples.ts";
import { refuseWithoutEndpoint } from "./no-endpoint.ts";

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
      return wrong(setting, `an index from 0 to ${target.length}`);
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

const DIGITS = "0123456789";

/** An example of a type, with some of its members set. */
export interface ExampleChoice {
  type: EventType;
  set?: readonly string[] | undefined;
}

/** An event as it is sent, and the id of its delivery, which settings cannot change. */
interface Example {
  id: string;
  envelope: Envelope;
}

const exampleOf = (view: View, { type, set = [] }: ExampleChoice, moment: Moment): Example => {
  const data = exampleIn(revisionOf(view), type, moment);
  const id = moment.newId("Webhook");
  const envelope = { id, type, timestamp: instant(moment.atMs), data };
  return { id, envelope: withSettings(envelope, set) };
};

const requireEndpoint = (draft: Draft) => {
  if (platformConfig(draft).webhookEndpoint === undefined) refuseWithoutEndpoint();
};

interface LabEvent {
  id: string;
  type: EventType;
  about?: string | undefined;
  body: string;
}

const aboutOf = ({ data }: Envelope) => {
  const { id, code } = data as { id?: unknown; code?: unknown };
  return [id, code].find((one) => typeof one === "string");
};

/** Records a delivery in a lane of its own: no event of the world waits for it. */
const record = (draft: Draft, { about, ...made }: LabEvent, lab: LabOrigin): string => {
  const { id } = made;
  draft.emit({
    ...made,
    lane: id,
    ...defined({ about }),
    deliverable: true,
    lab,
  });
  return id;
};

const madeOf = ({ id, envelope }: Example): LabEvent => ({
  id,
  type: envelope.type,
  about: aboutOf(envelope),
  body: JSON.stringify(envelope),
});

const recordExample = (draft: Draft, example: Example, lab: LabOrigin) =>
  record(draft, madeOf(example), lab);

/** Ended from the start, so that the outbox leaves it alone; its first answer may accept it. */
const once = (kind: LabOrigin["kind"]): LabOrigin => ({ kind, state: "GIVEN_UP" });

/**
 * POST /_sim/webhooks/trigger: records an event of a type, of an example or of bytes given. It is
 * sent by whoever asked for it, once. Refuses when there is no endpoint.
 * @returns the id of its delivery
 */
export const triggerEvent: Rule<ExampleChoice & { raw?: Buffer | undefined }, string> = (
  draft,
  { raw, ...wanted },
  moment,
) => {
  requireEndpoint(draft);
  if (!raw) return recordExample(draft, exampleOf(draft, wanted, moment), once("triggered"));
  const body = raw.toString("utf8");
  const isText = Buffer.from(body).equals(raw);
  const origin = { ...once("triggered"), ...(!isText && { base64: raw.toString("base64") }) };
  return record(draft, { id: moment.newId("Webhook"), type: wanted.type, body }, origin);
};

/**
 * Another digit in place of one behind `timestamp`, where the seed draws it. It is none that begins
 * a number with 0, so that the body stays JSON.
 */
const tamper = (body: string, moment: Moment) => {
  const from = body.indexOf('"timestamp"');
  const places = [...body.matchAll(/[0-9]/g)].map(({ index }) => index).filter((at) => at > from);
  const drawn = Number.parseInt(moment.draw("tampered place", 6, DIGITS), 10);
  const at = places[drawn % places.length] as number;
  const digit = (Number(body[at]) % 9) + 1;
  return `${body.slice(0, at)}${digit}${body.slice(at + 1)}`;
};

const recordTampered = (draft: Draft, example: Example, moment: Moment) => {
  const made = madeOf(example);
  const origin = { ...once("tampered-body"), signed: made.body };
  return record(draft, { ...made, body: tamper(made.body, moment) }, origin);
};

/** The payment that `reordered` tells of, event by event, as it happened. */
const STORY: readonly { type: EventType; state: PaymentState }[] = [
  { type: "OUTGOING_PAYMENT.PENDING", state: { status: "PENDING" } },
  { type: "OUTGOING_PAYMENT.PROCESSING", state: { status: "PROCESSING" } },
  { type: "OUTGOING_PAYMENT.COMPLETED", state: { status: "COMPLETED" } },
];

/** Every order of the three but the right one. */
const WRONG_ORDERS = [
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

const drawOrder = (moment: Moment) => {
  const drawn = Number.parseInt(moment.draw("wrong order", 6, DIGITS), 10);
  return WRONG_ORDERS[drawn % WRONG_ORDERS.length] as readonly number[];
};

const recordStory = (draft: Draft, moment: Moment): string[] => {
  const payment = newExamplePayment(moment);
  const told = STORY.map(({ type, state }) => {
    const data = outgoingExample(payment, state, moment);
    const id = moment.newId("Webhook");
    const envelope = { id, type, timestamp: instant(moment.atMs), data };
    return recordExample(draft, { id, envelope }, once("reordered"));
  });
  return drawOrder(moment).map((at) => told[at] as string);
};

const recordDelayed = (
  draft: Draft,
  { example, afterMs }: { example: Example; afterMs: number },
  moment: Moment,
) => {
  const dueAtMs = moment.atMs + afterMs;
  const origin: LabOrigin = { kind: "delayed", state: "RETRYING", nextAttemptAtMs: dueAtMs };
  setTimer(draft, { name: "webhook.retry", subject: example.id, dueAtMs }, moment);
  return recordExample(draft, example, origin);
};

/** The input of a vector; `afterMs` delays `delayed`, on the simulated clock. */
export interface WantedVector extends ExampleChoice {
  vector: Vector;
  afterMs?: number | undefined;
}

/**
 * POST /_sim/webhooks/vectors: records deliberately bad deliveries. Random parts are drawn from the
 * seed. Refuses when there is no endpoint (spec/webhooks.md#vectors).
 * @returns the ids of its deliveries in the order in which they are to be sent
 */
export const makeVector: Rule<WantedVector, string[]> = (
  draft,
  { vector, afterMs = DURATIONS.labDelayMs, ...wanted },
  moment,
) => {
  requireEndpoint(draft);
  if (vector === "reordered") return recordStory(draft, moment);
  const example = exampleOf(draft, wanted, moment);
  if (vector === "tampered-body") return [recordTampered(draft, example, moment)];
  if (vector === "delayed") return [recordDelayed(draft, { example, afterMs }, moment)];
  if (vector === "dropped")
    return [recordExample(draft, example, { kind: vector, state: "DROPPED" })];
  const id = recordExample(draft, example, once(vector));
  return vector === "duplicate" ? [id, id] : [id];
};

/** A TEST event for checking a receiver, deliberately bad or correct. */
export const makeProbe: Rule<{ kind: LabOrigin["kind"] }, string> = (draft, { kind }, moment) => {
  requireEndpoint(draft);
  const example = exampleOf(draft, { type: "TEST" }, moment);
  return kind === "tampered-body"
    ? recordTampered(draft, example, moment)
    : recordExample(draft, example, once(kind));
};
