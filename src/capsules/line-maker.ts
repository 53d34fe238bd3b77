import { createHash } from "node:crypto";
import { OWN } from "../contract/core/brand-words.ts";
import { OPERATIONS } from "../contract/operations.ts";
import { REFUSALS } from "../contract/refusals.ts";
import { EVENT_TYPES } from "../contract/webhooks/events.ts";
import type { WholeReply } from "../http/message/reply.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import type { Change } from "../runtime/change.ts";
import { VERSION } from "../version.ts";
import type { NotedFact } from "../worlds/fact-notes.ts";
import { canonicalBytes, canonicalHeaders, canonicalText } from "./canonical-names.ts";
import {
  CAPSULE_VERSION,
  type CapsuleHead,
  type CapsuleLine,
  type CapsuleReply,
  type RequestLine,
} from "./capsule-lines.ts";
import { type ChangeDigest, digestOfChange } from "./change-digests.ts";
import { Placeholders } from "./placeholders.ts";
import { isChosenCode, type RecordedProofs } from "./recorded-proofs.ts";
import { Redactions } from "./redactions.ts";
import { type Credentials, callerOf, hiddenHeader, keptText } from "./secrets.ts";

/** Digest of operations, refusals and events: what a reply may depend on beside the run itself. */
export const contractDigest = () =>
  createHash("sha256")
    .update(JSON.stringify([OPERATIONS, REFUSALS, EVENT_TYPES]))
    .digest("hex")
    .slice(0, 16);

/** Secrets that a capsule with placeholders has all the same (spec/capsules.md#kept-secrets). */
const KEPT_SECRETS = [
  "proofs in fixtures, which are sent again",
  "tokens and device codes made by the simulator, which follow from the seed",
] as const;

/** A line that has no number yet. */
export type CapsuleEntry = CapsuleLine extends infer Line
  ? Line extends CapsuleLine
    ? Omit<Line, "n">
    : never
  : never;

const CONTROL = /^\/_sim(\/|$)/;

export const isControlUrl = (url: string) => CONTROL.test(new URL(url).pathname);

/** A call that was made and answered. */
export interface MadeCall extends Pick<RequestLine, "at" | "w" | "e" | "method" | "url"> {
  world?: string | undefined;
  id?: string | undefined;
  headers: readonly [string, string][];
  /** False where its method has none. */
  hasBody: boolean;
  body?: Buffer | undefined;
  /** Placeholders for its proofs; none in a capsule with secrets. */
  proofs?: RecordedProofs | undefined;
  facts: readonly NotedFact[];
  reply: Pick<WholeReply, "status" | "headers" | "text" | "brand">;
}

/** Makes the lines of one capsule, with placeholders for secrets unless it has them all. */
export class LineMaker {
  readonly redactions: Redactions;
  readonly placeholders: Placeholders;
  readonly withSecrets: boolean;
  /** Credentials of the simulator, once they are known. */
  own: Credentials = { clientSecret: "", controlToken: "" };

  constructor({
    options,
    withSecrets,
  }: {
    options: Pick<SimulatorOptions, "productionPrefixes">;
    withSecrets: boolean;
  }) {
    this.withSecrets = withSecrets;
    this.redactions = new Redactions(() => options.productionPrefixes);
    this.placeholders = new Placeholders(this.redactions, () => withSecrets);
  }

  /** The first line. */
  head({
    w,
    options,
    fixture,
    beginning,
  }: Pick<CapsuleHead, "w" | "options" | "fixture" | "beginning">): CapsuleHead {
    return {
      capsule: CAPSULE_VERSION,
      program: VERSION,
      contract: contractDigest(),
      w,
      options: this.hiddenOptions(options),
      ...(fixture !== undefined && { fixture: this.hiddenFixture(fixture) }),
      ...(beginning && { beginning }),
      ...(this.withSecrets
        ? { secrets: "included" as const }
        : { secrets: "placeholders" as const, keeps: KEPT_SECRETS }),
    };
  }

  call(call: MadeCall): CapsuleEntry {
    const { at, world, id, w, e, method, url, body, facts, reply } = call;
    const isControl = isControlUrl(url);
    const { brand = OWN } = reply;
    return {
      t: isControl ? "control" : "request",
      at,
      ...(world !== undefined && { world }),
      ...(id !== undefined && { id }),
      ...{ w, e, method, url: this.hidden(brand.inward(url)) },
      ...this.credentials(call),
      ...this.bodyOf(call),
      ...(body === undefined && call.hasBody && { unread: lengthOf(call) }),
      ...(facts.length > 0 && { facts: this.hiddenFacts(facts) }),
      reply: this.replyOf(call, isControl && method === "GET"),
    };
  }

  change(change: Change): ChangeDigest | undefined {
    return digestOfChange(change, { hidden: (text) => this.hidden(text) });
  }

  /** A drawn value: codes follow from what was drawn for them, and callers send them as they were. */
  drawn(what: "codes" | "webhook key", value: string) {
    return what === "codes" ? value : this.placeholders.key(value);
  }

  hidden(text: string) {
    return this.withSecrets ? text : this.redactions.hidden(text);
  }

  /** The headers that matter, and the caller in place of credentials. */
  private credentials({ headers: all, reply, proofs }: MadeCall) {
    const own = canonicalHeaders({ headers: all }, reply.brand);
    const authorization = own.find(([name]) => name === "authorization")?.[1];
    const headers = own
      .filter(([name]) => HEARD.test(name))
      .map(([name, value]): [string, string] => [
        name,
        this.hidden(proofs?.header(name, value) ?? value),
      ]);
    if (authorization === undefined) return { headers };
    const caller = callerOf(authorization, this.own);
    if (caller) return { headers, caller };
    const { redactions } = this;
    const shown = this.withSecrets
      ? authorization
      : hiddenHeader(authorization, { redactions, isRefused: reply.status === 401 });
    return { headers: [...headers, ["authorization", shown] as [string, string]] };
  }

  private bodyOf({ body, proofs, reply }: MadeCall) {
    if (!body || body.length === 0) return {};
    return { body: canonicalBytes(proofs?.body ?? body, reply.brand ?? OWN).toString("base64") };
  }

  private hiddenFacts(facts: readonly NotedFact[]): readonly NotedFact[] {
    return JSON.parse(this.hidden(JSON.stringify(facts)));
  }

  /** @param isRead true for a reply of `GET /_sim/…`, of which only the status is compared */
  private replyOf({ reply, proofs }: MadeCall, isRead: boolean): CapsuleReply {
    const { status, headers: sent } = reply;
    const text = canonicalText(reply);
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, this.hidden(value)]),
    );
    if (text === undefined || !/json|text\/plain/.test(headers["content-type"] ?? ""))
      return { status, headers };
    this.redactions.learn(text);
    if (isRead && proofs) return { status, headers };
    return { status, headers, ...keptText(this.hidden(proofs?.reply(text) ?? text), this) };
  }

  /** Options without passwords of addresses, and without a code that all mails would bring. */
  private hiddenOptions(options: Record<string, unknown>) {
    const { codes, webhookEndpoint } = options;
    if (this.withSecrets) return options;
    const endpoint = typeof webhookEndpoint === "string" ? webhookEndpoint : undefined;
    if (endpoint !== undefined) this.redactions.takeJson(JSON.stringify({ webhookEndpoint }));
    return {
      ...options,
      ...(endpoint !== undefined && { webhookEndpoint: this.redactions.hidden(endpoint) }),
      ...(isChosenCode(codes) && { codes: this.redactions.placeholder(codes) }),
    };
  }

  private hiddenFixture(fixture: unknown) {
    if (this.withSecrets) return fixture;
    const text = JSON.stringify(fixture);
    this.redactions.takeJson(text);
    return JSON.parse(this.hidden(text));
  }
}

/** Announced length of a body; one that is not announced was longer than any limit. */
const lengthOf = ({ headers }: MadeCall) =>
  Number(headers.find(([name]) => name === "content-length")?.[1] ?? 2 ** 40);

/** Headers that a reply may depend on; all others, such as cookies, stay out of the file. */
const HEARD =
  /^(accept|content-type|host|idempotency-key|last-event-id|origin|request-id|service-wallet-signature|sec-fetch-.*|x-sim-.*)$/;
