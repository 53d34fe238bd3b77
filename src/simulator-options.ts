import { CRYPTO_MODES } from "./contract/core/crypto-modes.ts";
import { type Allows, allowEntryOf, namesForbiddenAddress } from "./contract/core/network-reach.ts";
import { APPROVAL_MODES, CARD_EVENTS, WALLET_CREDENTIALS } from "./contract/core/world-settings.ts";
import { isSigningKey } from "./crypto/ecdsa.ts";
import { type SeededCredentials, seededCredentials } from "./crypto/seeded-credentials.ts";
import { SIGNATURE_FORMS, type SignatureForm } from "./crypto/webhook-signature.ts";
import { DEFAULT_SETTINGS } from "./domain/core/world-settings.ts";
import { isUmaDomain } from "./domain/customers/uma-addresses.ts";
import type { Opening, WorldSettings } from "./domain/records/records.ts";
import { isLoopbackName } from "./http/loopback.ts";
import type { RequestReport } from "./http/request-log.ts";
import type { FiredTimer } from "./runtime/listeners.ts";
import { type AttemptReport, machineWall } from "./runtime/ports.ts";
import type { GivenIdentity } from "./runtime/storage/identity.ts";
import type { WorldOptions } from "./runtime/storage/open-world.ts";
import { parseStorageUrl } from "./runtime/storage/storage.ts";

/**
 * How a simulator starts. Everything has a default; the state is kept in memory by default. On
 * state that is there, an omitted option stays as it was; another seed, instant or fixture than
 * the state began with is refused unless `fresh` is set.
 */
export interface SimulatorOptions {
  /**
   * Any text; the same seed and the same requests give the same ids. On loopback the client secret
   * and the webhook key of new state come from it too.
   */
  seed?: string | number;
  /** Starting instant of new state, ISO 8601. */
  now?: string;
  /** `manual`: time stands still until moved. */
  clock?: "real" | "manual";
  /** World to start with: a name of the package's worlds, a file's path, or the fixture itself. */
  fixture?: string | object;
  /** `memory:` or `file:<directory>`. */
  storage?: string;
  /** Begins a new world; state that is there is moved into a folder within its directory. */
  fresh?: boolean;
  /**
   * Called by a `fresh` start that owns the directory, before the earlier state is moved; when it
   * throws, that state stays.
   */
  beforeMovingAside?: () => Promise<void>;
  /** Address that `listen` takes unless it names another one; 127.0.0.1 by default. */
  host?: string;
  /** Acknowledge only what is on disk, not what is written. */
  fsync?: boolean;
  /** How long a webhook receiver may take, wall milliseconds. */
  webhookTimeoutMs?: number;
  /** Where webhooks go from the start. */
  webhookEndpoint?: string;
  /** Domains of the sandbox's own UMA addresses; `sandbox.uma.test` by default. */
  sandboxUmaDomains?: readonly string[];
  /** Private key that signs webhooks, PEM on P-256; drawn or derived once and kept otherwise. */
  webhookKey?: string;
  /** What the signature header says: the base64 alone, the default, or `{"v":"1","s":"…"}`. */
  webhookSignature?: SignatureForm;
  /** Credentials of the platform; drawn or derived once and kept otherwise. */
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
  /**
   * JWKS whose keys may sign tokens, each `<issuer>=<file or url>`. One without an issuer counts for
   * any issuer while `crypto` is `both`, and is refused with `strict`.
   */
  oidcJwks?: string | readonly string[];
  /** Further host names the control surface answers for, like a container's name. */
  allowHosts?: readonly string[];
  /**
   * Receivers that are called beyond loopback although they are not public: host names, addresses,
   * or ranges as CIDR.
   */
  allowWebhookTargets?: readonly string[];
  /** A tunnel will lead to it: it counts as listening beyond loopback. */
  tunnel?: boolean;
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

/** Default address to listen on. */
export const LOOPBACK = "127.0.0.1";

/** An option that cannot be used; the message says what was expected. */
export class OptionError extends Error {
  override readonly name = "OptionError";
  /** Option that the sentence begins with, after `Expected`. */
  readonly option: keyof SimulatorOptions | undefined;

  constructor(message: string, option?: keyof SimulatorOptions) {
    super(message);
    this.option = option;
  }
}

const shownText = (text: string) => `"${text}"`;

/** An option that would have to be something else. */
const unfit = (option: keyof SimulatorOptions, wanted: string, found: string) =>
  new OptionError(`Expected ${option} to be ${wanted} but found ${found}`, option);

/** An empty secret lets everyone in; an empty value is mostly a variable that was never set. */
const requireValue = (option: keyof SimulatorOptions, text: string) => {
  if (text === "")
    throw new OptionError(`Expected ${option} to have a value but found an empty one`, option);
  return text;
};

/** JavaScript takes 31 February for 3 March. */
const isCalendarDay = (text: string) => {
  const day = text.slice(0, "2026-01-31".length);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

const instantMs = (text: string) => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || !INSTANT.test(text) || !isCalendarDay(text))
    throw unfit("now", "an instant like 2026-01-05T09:00:00Z", shownText(text));
  return ms;
};

const storageOf = (text: string) => {
  const storage = parseStorageUrl(text);
  if (!storage) throw unfit("storage", "memory: or file:<directory>", shownText(text));
  return storage;
};

const endpointOf = (text: string) => {
  const isHttp =
    URL.canParse(text) && PRINTABLE.test(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isHttp) throw unfit("webhookEndpoint", "an http or https URL", shownText(text));
  if (namesForbiddenAddress(text))
    throw unfit("webhookEndpoint", "a receiver", `a link-local or metadata address, "${text}"`);
  return text;
};

const allowedOf = (text: string): Allows => {
  const allows = allowEntryOf(text);
  if (!allows)
    throw unfit(
      "allowWebhookTargets",
      "a host name, an address or a range like 10.0.0.0/8, none of them link-local,",
      shownText(text),
    );
  return allows;
};

/** Receivers that are called beyond loopback although they are not public. */
export const allowedTargetsOf = ({ allowWebhookTargets = [] }: SimulatorOptions) =>
  allowWebhookTargets.map(allowedOf);

const umaDomainOf = (name: string) => {
  if (!isUmaDomain(name)) throw unfit("sandboxUmaDomains", "a domain name", shownText(name));
  return name.toLowerCase();
};

const keyOf = (pem: string) => {
  if (!isSigningKey(pem))
    throw unfit("webhookKey", "a private key on P-256 as PEM", "something else");
  return pem;
};

const PRINTABLE = /^\P{Cc}*$/u;

/** Credentials travel in headers. */
const requirePrintable = (option: keyof SimulatorOptions, text: string) => {
  if (!PRINTABLE.test(text)) throw unfit(option, "text without control characters", "some");
  return text;
};

/** A colon ends the user name of HTTP Basic, so an id cannot hold one. */
const clientIdOf = (text: string) => {
  if (text.includes(":")) throw unfit("clientId", "text without a colon", shownText(text));
  return requirePrintable("clientId", requireValue("clientId", text));
};

const clientSecretOf = (text: string) =>
  requirePrintable("clientSecret", requireValue("clientSecret", text));

const identityOf = (options: SimulatorOptions): GivenIdentity => {
  const { seed, now, clock, clientId, clientSecret, webhookKey } = options;
  return {
    ...(seed !== undefined && { seed: requireValue("seed", String(seed)) }),
    ...(now !== undefined && { startMs: instantMs(now) }),
    ...(clock && { clockMode: clock }),
    ...(clientId !== undefined && { clientId: clientIdOf(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: clientSecretOf(clientSecret) }),
    ...(webhookKey !== undefined && { webhookKeyPem: keyOf(webhookKey) }),
  };
};

const oneOf = <T extends string>(
  option: keyof SimulatorOptions,
  given: T,
  choices: readonly T[],
): T => {
  if (!choices.includes(given))
    throw unfit(option, `one of ${choices.join(", ")}`, shownText(given));
  return given;
};

/** An empty list goes back to the default: a sandbox has a domain. */
const umaDomainsOf = (names: readonly string[]) =>
  names.length > 0 ? names.map(umaDomainOf) : DEFAULT_SETTINGS.sandboxUmaDomains;

const settingsOf = (options: SimulatorOptions): WorldSettings => {
  const { crypto, walletCredential, approvals, cardEvents } = options;
  const { webhookSignature, oidcIssuers, sandboxUmaDomains } = options;
  return {
    ...(crypto !== undefined && { cryptoMode: oneOf("crypto", crypto, CRYPTO_MODES) }),
    ...(walletCredential !== undefined && {
      walletCredential: oneOf("walletCredential", walletCredential, WALLET_CREDENTIALS),
    }),
    ...(approvals !== undefined && { approvals: oneOf("approvals", approvals, APPROVAL_MODES) }),
    ...(cardEvents !== undefined && {
      cardEvents: oneOf("cardEvents", cardEvents, CARD_EVENTS),
    }),
    ...(webhookSignature !== undefined && {
      webhookSignature: oneOf("webhookSignature", webhookSignature, SIGNATURE_FORMS),
    }),
    ...(oidcIssuers && { oidcIssuers: [...oidcIssuers] }),
    ...(sandboxUmaDomains && { sandboxUmaDomains: umaDomainsOf(sandboxUmaDomains) }),
  };
};

/** Whether only this machine reaches a simulator there. */
export const isLocalPlace = ({ host = LOOPBACK, tunnel = false }: Place) =>
  isLoopbackName(host) && !tunnel;

/** Everyone can derive these from the seed, so they are for this machine alone. */
const seededOf = ({ seed, ...place }: SimulatorOptions) => {
  const isHere = isLocalPlace({ ...place, host: requireValue("host", place.host ?? LOOPBACK) });
  return seed !== undefined && isHere ? { seeded: seededCredentials(String(seed)) } : {};
};

type Place = Pick<SimulatorOptions, "host" | "tunnel">;

/** A credential that comes from the seed. */
export type Guessable = "client secret" | "webhook key";

/**
 * Credentials that anyone who knows the seed can make too; none where only this machine reaches it.
 * @throws OptionError when there are some, and the options did not say that it listens there
 */
export const guessableAt = (
  place: Place,
  told: Place,
  identity: SeededCredentials & { seed: string },
): Guessable[] => {
  const guessable = isLocalPlace(place) ? [] : guessableOf(identity);
  const isHostTold = (place.host ?? LOOPBACK) === (told.host ?? LOOPBACK);
  if (guessable.length > 0 && !(isHostTold && (!place.tunnel || told.tunnel)))
    throw new OptionError(
      `Expected createSimulator to be given ${isHostTold ? "tunnel" : `host "${place.host}"`} but ` +
        `found ${guessable.join(" and ")} that come from the seed`,
    );
  return guessable;
};

/** The credentials of a simulator that anyone who knows its seed can make too. */
const guessableOf = (identity: SeededCredentials & { seed: string }): Guessable[] => {
  const { clientSecret, webhookKeyPem } = seededCredentials(identity.seed);
  return [
    ...(identity.clientSecret === clientSecret ? ["client secret" as const] : []),
    ...(identity.webhookKeyPem === webhookKeyPem ? ["webhook key" as const] : []),
  ];
};

const openingOf = ({ webhookEndpoint, ...options }: SimulatorOptions): Opening => ({
  settings: settingsOf(options),
  ...(webhookEndpoint !== undefined && { webhookEndpoint: endpointOf(webhookEndpoint) }),
});

/**
 * The options as the runtime takes them.
 * @throws OptionError for an option that cannot be used
 */
export const worldOptionsOf = (options: SimulatorOptions): WorldOptions => ({
  storage: storageOf(options.storage ?? "memory:"),
  wall: machineWall,
  fsync: options.fsync ?? false,
  identity: identityOf(options),
  ...seededOf(options),
  opening: openingOf(options),
  ...(options.fresh && { fresh: true }),
  ...(options.beforeMovingAside && { beforeMovingAside: options.beforeMovingAside }),
  ...(options.force && { force: true }),
});
