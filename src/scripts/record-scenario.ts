import type { CallDetails } from "../contract/control/requests.ts";
import type { Scenario, ScenarioStep } from "../contract/control/scenarios.ts";
import { MAGIC_VALUES } from "../contract/core/magic-values.ts";
import { exactDuration } from "../domain/core/durations.ts";
import { meantMethod } from "../http/door/request-line.ts";
import { RecordedCodes } from "./recorded-codes.ts";
import { mapTexts } from "./references.ts";

/**
 * Makes a reader of JSON that may be cut off: what was complete before the cut is read. The parser
 * is loaded only now.
 */
export const readCutJson = async (): Promise<(text: string | undefined) => unknown> => {
  const { parse } = await import("jsonc-parser/lib/esm/main.js");
  return (text) => (text === undefined ? undefined : parse(text, [], { disallowComments: true }));
};

/** A call as far as a scenario is made from it; what is secret is redacted. */
export type RecordedCall = Pick<
  CallDetails,
  | "id"
  | "at"
  | "method"
  | "path"
  | "query"
  | "operation"
  | "status"
  | "requestBody"
  | "responseBody"
  | "fault"
>;

/** Calls made by hand, and the clock of their world. */
export interface Done {
  name: string;
  /** Oldest first. */
  calls: readonly RecordedCall[];
  /** The instant at which the recording ends. */
  now: string;
  /**
   * The clock of the calls. `manual` stood still between them, `real` ran on while a person made
   * them. A program waited for `awaited`, so every second of it counts.
   */
  clock: "manual" | "real" | "awaited";
}

/** A scenario, and what of the calls it could not take over. */
export interface ScenarioRecording {
  scenario: Scenario;
  notes: string[];
}

type Named = Pick<CallDetails, "operation">;

/** Verbs that operation ids begin with; the rest is the noun. */
const VERB =
  /^(agent)?(Create|Get|List|Patch|Put|Delete|Update|Upload|Execute|Verify|Redeem|Simulate|Receive|Claim|Cancel|Approve|Reject|Export|Refresh|Challenge)(?=[A-Z])/i;

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The resource of an operation: `customer` for `createCustomer`. */
const nounOf = ({ operation = "step" }: Named) =>
  lowerFirst(operation.replace(VERB, "")).replace(/[^A-Za-z0-9_-]/g, "") || "step";

/** Gives each step a name of its own: `customer`, then `customer2`. */
class StepNames {
  private readonly usedNames = new Set<string>();

  of(noun: string): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? noun : `${noun}${count}`;
      if (this.usedNames.has(name)) continue;
      this.usedNames.add(name);
      return name;
    }
  }
}

const REDACTED = "[redacted]";

/** Stands in for a secret that the log does not have, by the name of its member. */
const STAND_INS: Readonly<Record<string, string>> = {
  otp: MAGIC_VALUES.otp,
  oidcToken: MAGIC_VALUES.oidcToken,
  signature: MAGIC_VALUES.passkeySignature,
};

/** With a clock that runs, shorter pauses are the person's own. */
const SHORTEST_STEP_MS = { manual: 1, real: 60_000, awaited: 1_000 } as const;

const ID = /(?<![A-Za-z])[A-Za-z]+:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Members of an answer that later steps may need although they are no ids. */
const FURTHER = new Set(["challenge", "payloadToSign"]);

/** Operations that show a device code, and the member that holds it. */
const DEVICE_CODES: Readonly<Record<string, string>> = {
  createAgent: "deviceCode.code",
  createAgentDeviceCode: "code",
};

/** Members of the answers that tests look at first. */
const TOLD = ["status", "state", "code", "reason"] as const;

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parsed = (text: string | undefined): unknown => {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Texts of a value with the path of each. */
const placed = (value: unknown): { text: string; path: string }[] => {
  const texts: { text: string; path: string }[] = [];
  mapTexts(value, [], ({ text, path }) => {
    texts.push({ text, path: path.join(".") });
  });
  return texts;
};

/** A step of the recording, named once another one refers to it. */
interface Step {
  call: RecordedCall;
  body: unknown;
  answer: unknown;
  name?: string;
}

/** The first answer that showed a value. */
interface Source {
  step: Step;
  path: string;
}

class Recording {
  readonly notes: string[] = [];
  private readonly names = new StepNames();
  private readonly sources = new Map<string, Source>();
  private readonly done: { step?: Step; made: ScenarioStep }[] = [];
  private deviceCode: Source | undefined;
  private agentToken: Source | undefined;
  private readonly earlier: Step[] = [];
  private readonly codes = new RecordedCodes({
    put: (noun, made) => {
      const name = this.names.of(noun);
      this.done.push({ made: { name, ...made } });
      return name;
    },
  });
  private readonly read: (text: string | undefined) => unknown;

  constructor(read: (text: string | undefined) => unknown) {
    this.read = read;
  }

  advance(byMs: number) {
    this.done.push({ made: { advance: exactDuration(byMs) } });
  }

  /** Every step; those that others refer to begin with their name. */
  steps(): ScenarioStep[] {
    return this.done.map(({ step, made }) =>
      step?.name === undefined ? made : { name: step.name, ...made },
    );
  }

  take(call: RecordedCall) {
    const body = parsed(call.requestBody);
    const step: Step = { call, body, answer: this.read(call.responseBody) };
    const why = unrepeatable(step);
    if (why !== undefined) {
      this.notes.push(`${call.id} (${call.method} ${call.path}) is left out: ${why}`);
      return;
    }
    const expectations = expectation(step);
    const made: ScenarioStep = {
      request: {
        method: meantMethod(call) as "GET",
        path: this.pathOf(step),
        ...this.headersOf(step),
        ...(isJson(body) && { body: this.bodyOf(step, body) }),
      },
      ...expectations,
    };
    this.done.push({ step, made });
    this.remember(step);
  }

  /** `${customer.id}`; the step that answered it gets its name now. */
  private referTo({ step, path }: Source): string {
    if (step.name === undefined) {
      step.name = this.names.of(nounOf(step.call));
    }
    return `\${${step.name}${path === "" ? "" : `.${path}`}}`;
  }

  private referenced(text: string): string {
    const whole = this.sources.get(text);
    if (whole) return this.referTo(whole);
    return this.withReferences(text.replaceAll("${", () => "$${"));
  }

  private pathOf({ call: { path, query } }: Step): string {
    const { deviceCode } = this;
    const known = deviceCode
      ? path.replace(`/device-codes/${REDACTED}`, () => `/device-codes/${this.referTo(deviceCode)}`)
      : path;
    const whole = query === undefined ? known : `${known}?${decodeURIComponent(query)}`;
    return this.withReferences(whole);
  }

  /** Ids inside a text; a reference that is there already stays. */
  private withReferences(text: string): string {
    return text.replace(ID, (id) => {
      const source = this.sources.get(id);
      return source ? this.referTo(source) : id;
    });
  }

  private bodyOf(step: Step, body: Json): Record<string, unknown> {
    const { call } = step;
    return mapTexts(body, [], ({ text, path }) => {
      if (text !== REDACTED) return this.referenced(text);
      const member = String(path.at(-1));
      const placeholder =
        member === SEALED_CODE ? this.codes.bundleOf(sealedCall(step)) : STAND_INS[member];
      if (placeholder === undefined)
        this.notes.push(`${call.id}: ${path.join(".")} was a secret; write it into the file`);
      return placeholder ?? REDACTED;
    }) as Record<string, unknown>;
  }

  /** Headers that the log does not hold: an agent's token, the signature of a wallet's owner. */
  private headersOf(step: Step): { headers?: Record<string, string> } {
    const { path } = step.call;
    if (/^\/agents\/me(\/|$)/.test(path) && this.agentToken)
      return { headers: { authorization: `Bearer ${this.referTo(this.agentToken)}` } };
    const first = this.earlier.findLast((earlier) => isAnsweredBy(earlier, step));
    const isFirst = isSealed(step) && !this.codes.isSecond(sealedCall(step));
    if (!first || isFirst) return {};
    const requestId = this.referTo({ step: first, path: "requestId" });
    const isProof = first.call.operation !== step.call.operation;
    return {
      headers: {
        "Request-Id": requestId,
        ...(!isProof && { "Service-Wallet-Signature": MAGIC_VALUES.walletSignature }),
      },
    };
  }

  private remember(step: Step) {
    const { call, answer } = step;
    for (const { text, path } of placed(answer)) {
      const member = path.split(".").at(-1) ?? "";
      const isWhole = text.match(ID)?.[0] === text || FURTHER.has(member);
      if (isWhole && !this.sources.has(text)) this.sources.set(text, { step, path });
    }
    this.rememberChallenge(step);
    const code = DEVICE_CODES[call.operation ?? ""];
    if (code !== undefined && call.status < 300) this.deviceCode = { step, path: code };
    if (call.operation === "redeemDeviceCode" && call.status < 300)
      this.agentToken = { step, path: "accessToken" };
    this.earlier.push(step);
  }

  /** A key to seal a code to: of a new credential, or of a challenge of one. */
  private rememberChallenge(step: Step) {
    const { call, answer } = step;
    if (!isJson(answer) || typeof answer[TARGET_BUNDLE] !== "string") return;
    const credential = /^(.*)\/challenge$/.exec(call.path)?.[1] ?? `${call.path}/${answer.id}`;
    this.codes.challenged(credential, () => this.referTo({ step, path: TARGET_BUNDLE }));
  }
}

const SEALED_CODE = "encryptedOtpBundle";
const TARGET_BUNDLE = "otpEncryptionTargetBundle";

const isSealed = ({ body }: Step) => isJson(body) && SEALED_CODE in body;

const sealedCall = ({ call: { path, status }, answer }: Step) => ({ path, status, answer });

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A call that was answered with a challenge, which this one answers (spec/signed-retry.md). */
const isAnsweredBy = (first: Step, { call, body }: Step) => {
  if (!isJson(first.answer) || typeof first.answer.requestId !== "string") return false;
  const { method, path, status } = first.call;
  const isRetry = status === 202 && call.status !== 202 && method === call.method;
  if (isRetry && path === call.path && same(first.body, body)) return true;
  const isProof = call.operation === "verifyCredential" && isJson(body) && body.type === "PASSKEY";
  return isProof && path === call.path.replace(/\/verify$/, "/challenge");
};

/** Says why the log has too little of a call to make it again. */
const unrepeatable = ({ call, body }: Step): string | undefined => {
  if (call.requestBody !== undefined && body === undefined)
    return "its body is longer than the log keeps";
  if (isJson(body) && Object.values(body).some((part) => isJson(part) && "sizeBytes" in part))
    return "the log does not store files";
  if (call.fault !== undefined) return "a fault changed it";
  return undefined;
};

const expectation = ({ call, answer }: Step): { expect: { status: number; body?: Json } } => {
  const body = isJson(answer)
    ? Object.fromEntries(
        TOLD.flatMap((name) => (typeof answer[name] === "string" ? [[name, answer[name]]] : [])),
      )
    : {};
  const { status } = call;
  return { expect: { status, ...(Object.keys(body).length > 0 && { body }) } };
};

const SECOND_MS = 1000;

/** The span between two instants as a clock step; none where the clock merely ran on. */
const spanOf = (fromMs: number, toMs: number, clock: Done["clock"]) => {
  const passedMs = toMs - fromMs;
  const byMs = clock === "manual" ? passedMs : passedMs - (passedMs % SECOND_MS);
  return byMs >= SHORTEST_STEP_MS[clock] ? byMs : undefined;
};

/**
 * Writes a scenario from the calls of the request log (spec/scenarios.md#recording): ids become
 * references, time that passed becomes clock steps, and secrets stay out.
 * @param read reads an answer that may be cut off
 */
export const recordedScenario = (
  { name, calls, now, clock }: Done,
  read: (text: string | undefined) => unknown,
): ScenarioRecording => {
  const recording = new Recording(read);
  let atMs = calls[0] ? Date.parse(calls[0].at) : Date.parse(now);
  const passTo = (instant: string) => {
    const toMs = Date.parse(instant);
    const byMs = spanOf(atMs, toMs, clock);
    if (byMs !== undefined) recording.advance(byMs);
    // Polls come faster than every second, and what they wait for takes minutes.
    atMs = clock === "awaited" ? atMs + (byMs ?? 0) : Math.max(atMs, toMs);
  };
  for (const call of calls) {
    passTo(call.at);
    recording.take(call);
  }
  passTo(now);
  return { scenario: { name, steps: recording.steps() }, notes: recording.notes };
};
