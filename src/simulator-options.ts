import { isSigningKey } from "./crypto/ecdsa.ts";
import { SIGNATURE_FORMS, type SignatureForm } from "./crypto/webhook-signature.ts";
import type { WorldSettings } from "./domain/platform.ts";
import { APPROVAL_MODES, CARD_EVENTS, CRYPTO_MODES, WALLET_CREDENTIALS } from "./domain/records.ts";
import { isUmaDomain } from "./domain/uma-addresses.ts";
import type { RequestReport } from "./http/request-log.ts";
import type { GivenIdentity } from "./runtime/identity.ts";
import type { FiredTimer } from "./runtime/listeners.ts";
import type { WorldOptions } from "./runtime/open-world.ts";
import { type AttemptReport, machineWall } from "./runtime/ports.ts";
import { parseStorageUrl } from "./runtime/storage.ts";

/** How a simulator starts. Everything has a default; the state is kept in memory by default. */
export interface SimulatorOptions {
  /** Any text; the same seed and the same requests give the same ids. */
  seed?: string | number;
  /** Starting instant of new state, ISO 8601. */
  now?: string;
  /** `manual`: time stands still until moved. */
  clock?: "real" | "manual";
  /** World to start with: a name of the package's worlds, a file's path, or the fixture itself. */
  fixture?: string | object;
  /** `memory:` or `file:<directory>`. */
  storage?: string;
  /** Acknowledge only what is on disk, not what is written. */
  fsync?: boolean;
  /** How long a webhook receiver may take, wall milliseconds. */
  webhookTimeoutMs?: number;
  /** Where webhooks go from the start. */
  webhookEndpoint?: string;
  /** Domains of the sandbox's own UMA addresses; `sandbox.uma.test` by default. */
  sandboxUmaDomains?: readonly string[];
  /** Private key that signs webhooks, PEM on P-256; drawn once and kept otherwise. */
  webhookKey?: string;
  /** What the signature header says: the base64 alone, the default, or `{"v":"1","s":"…"}`. */
  webhookSignature?: SignatureForm;
  /** Credentials of the platform; drawn once and kept otherwise. */
  clientId?: string;
  clientSecret?: string;
  /** Which wallet proofs count: magic values and real ones (`both`, the default), or only some. */
  crypto?: "both" | "magic-only" | "strict";
  /** `email`: a new wallet has an EMAIL_OTP credential of its customer's address. */
  walletCredential?: "none" | "email";
  /** How the two events of cards are spelled: `card.state_change`, or `CARD.STATE_CHANGE`. */
  cardEvents?: "lower" | "upper";
  /** Who decides about agents' actions that wait: a person (`ask`), or the simulator at once. */
  approvals?: "ask" | "approve" | "reject";
  /** Token issuers that are recognised beside Google, Apple and the simulator's own. */
  oidcIssuers?: readonly string[];
  /** JWKS whose keys may sign tokens: a file's path or an http URL. */
  oidcJwks?: string;
  /** Further host names the control surface answers for, like a container's name. */
  allowHosts?: readonly string[];
  /** Takes over a state directory whose owner cannot be checked. */
  force?: boolean;
  /**
   * Does not wait until what fell due while it was stopped has fired: calls wait instead, but for
   * `/_sim/live` and `/_sim/ready`, and `ready()` tells when it is over.
   */
  answersBeforeReady?: boolean;
  /** Told of each request, webhook attempt and timer, as it happens. */
  onActivity?: (activity: Activity) => void;
  /** Told of the public key, PEM, that webhooks are checked with after `keys rotate`. */
  onWebhookKey?: (publicPem: string) => void;
  /** Told what the operator should read: a stopped world, failing storage, a bug. */
  onAlarm?: (message: string) => void;
}

/** One line of what is going on. */
export type Activity =
  | ({ kind: "request" } & RequestReport)
  | ({ kind: "webhook" } & AttemptReport)
  | ({ kind: "timer" } & FiredTimer);

/** An option that cannot be used; the message says what was expected. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}

/** JavaScript takes 31 February for 3 March. */
const isCalendarDay = (text: string) => {
  const day = text.slice(0, "2026-01-31".length);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

const instantMs = (text: string) => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || !INSTANT.test(text) || !isCalendarDay(text))
    throw new OptionError(`Expected an instant like 2026-01-05T09:00:00Z but found "${text}"`);
  return ms;
};

const storageOf = (text: string) => {
  const storage = parseStorageUrl(text);
  if (!storage) throw new OptionError(`Expected memory: or file:<directory> but found "${text}"`);
  return storage;
};

const endpointOf = (text: string) => {
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isHttp) throw new OptionError(`Expected an http or https URL but found "${text}"`);
  return text;
};

const umaDomainOf = (name: string) => {
  if (!isUmaDomain(name)) throw new OptionError(`Expected a domain name but found "${name}"`);
  return name.toLowerCase();
};

const keyOf = (pem: string) => {
  if (!isSigningKey(pem))
    throw new OptionError("Expected a private key on P-256 as PEM but found something else");
  return pem;
};

/** A colon ends the user name of HTTP Basic, so an id cannot hold one. */
const clientIdOf = (text: string) => {
  if (text === "" || text.includes(":"))
    throw new OptionError(`Expected a client id without a colon but found "${text}"`);
  return text;
};

const identityOf = (options: SimulatorOptions): GivenIdentity => {
  const { seed, now, clock, clientId, clientSecret, webhookKey } = options;
  return {
    ...(seed !== undefined && { seed: String(seed) }),
    ...(now !== undefined && { startMs: instantMs(now) }),
    ...(clock && { clockMode: clock }),
    ...(clientId !== undefined && { clientId: clientIdOf(clientId) }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(webhookKey !== undefined && { webhookKeyPem: keyOf(webhookKey) }),
  };
};

const oneOf = <T extends string>(name: string, given: T, choices: readonly T[]): T => {
  if (!choices.includes(given))
    throw new OptionError(
      `Expected ${name} to be one of ${choices.join(", ")} but found "${given}"`,
    );
  return given;
};

/** How the headers of this run carry signatures. */
export const signatureFormOf = ({ webhookSignature = "base64" }: SimulatorOptions) =>
  oneOf("webhookSignature", webhookSignature, SIGNATURE_FORMS);

const settingsOf = (options: SimulatorOptions): WorldSettings => {
  const { crypto, walletCredential, approvals, cardEvents, oidcIssuers, sandboxUmaDomains } =
    options;
  return {
    ...(crypto !== undefined && { cryptoMode: oneOf("crypto", crypto, CRYPTO_MODES) }),
    ...(walletCredential !== undefined && {
      walletCredential: oneOf("walletCredential", walletCredential, WALLET_CREDENTIALS),
    }),
    ...(approvals !== undefined && { approvals: oneOf("approvals", approvals, APPROVAL_MODES) }),
    ...(cardEvents !== undefined && {
      cardEvents: oneOf("cardEvents", cardEvents, CARD_EVENTS),
    }),
    ...(oidcIssuers && { oidcIssuers: [...oidcIssuers] }),
    ...(sandboxUmaDomains?.length && { sandboxUmaDomains: sandboxUmaDomains.map(umaDomainOf) }),
  };
};

/** What the runtime is told of them; refuses what cannot be used. */
export const worldOptionsOf = ({
  webhookEndpoint,
  ...options
}: SimulatorOptions): WorldOptions => ({
  storage: storageOf(options.storage ?? "memory:"),
  wall: machineWall,
  fsync: options.fsync ?? false,
  identity: identityOf(options),
  settings: settingsOf(options),
  ...(webhookEndpoint !== undefined && { webhookEndpoint: endpointOf(webhookEndpoint) }),
  ...(options.force && { force: true }),
});
