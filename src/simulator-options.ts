import { CLOCK_FORM, clockOf } from "./contract/control/clock-modes.ts";
import type { BrandFile } from "./contract/core/brand-words.ts";
import { defined } from "./contract/core/defined.ts";
import { endpointAddress, withoutPasswords } from "./contract/core/endpoint-address.ts";
import { isLoopbackName } from "./contract/core/loopback.ts";
import { isHttpUrl, isPrintable, namesForbiddenAddress } from "./contract/core/network-reach.ts";
import { productionMisfit } from "./contract/core/production-credentials.ts";
import type { Revision } from "./contract/core/revisions.ts";
import { startInstantOf } from "./contract/core/start-instant.ts";
import { isUmaDomain } from "./contract/core/uma-domain.ts";
import type { BundledFixture } from "./contract/platform/bundled-fixtures.ts";
import { isRateLimit, RATE_LIMIT_FORM } from "./contract/platform/rate-limit-text.ts";
import { trustedPem } from "./crypto/certificates.ts";
import { codeSettingOf } from "./crypto/code-setting.ts";
import { isSigningKey } from "./crypto/ecdsa.ts";
import {
  type Guessable,
  guessableOf,
  type SeededCredentials,
  seededCredentials,
} from "./crypto/seeded-credentials.ts";
import type { SignatureForm } from "./crypto/webhook-signature.ts";
import { DEFAULT_SETTINGS } from "./domain/core/world-settings.ts";
import { readBrand } from "./domain/platform/brands.ts";
import type { InitialSettings, WorldSettings } from "./domain/records/initial-settings.ts";
import type { RequestReport } from "./http/log/log-entry.ts";
import type { FiredTimer } from "./runtime/listeners.ts";
import { type AttemptReport, machineWall } from "./runtime/ports.ts";
import type { GivenIdentity } from "./runtime/storage/identity.ts";
import type { WorldOptions } from "./runtime/storage/open-world.ts";
import { parseStorageUrl, STORAGE_URL, wrongStorageUrl } from "./runtime/storage/storage-url.ts";

/**
 * Options of a start; each has a default, and the state is kept in memory by default. For existing
 * state, an omitted option stays as it was. A seed, instant or fixture that differs from the
 * state's is refused unless `fresh` is set.
 */
export interface SimulatorOptions {
  /**
   * Any text; the same seed and the same requests give the same ids. On loopback the client secret,
   * the webhook key and the token issuer's key of new state are derived from it too.
   */
  seed?: string | number;
  /** Starting instant of new state, ISO 8601. */
  now?: string;
  /**
   * `manual`: time moves only when it is advanced. `60x`: it runs 60 times as fast as the system
   * clock. `auto`: it skips to the next timer whenever nothing is under way and a client waits.
   */
  clock?: "real" | "manual" | "auto" | `${number}x`;
  /** Starting world: the name of a bundled fixture, a file's path, or the fixture itself. */
  fixture?: BundledFixture | (string & {}) | object;
  /** `memory:` or `file:<directory>`. */
  storage?: "memory:" | (string & {});
  /** Begins a new world; existing state is moved into a folder within its directory. */
  fresh?: boolean;
  /**
   * Called by a `fresh` start that owns the directory, before the earlier state is moved. If it
   * throws, that state stays.
   */
  beforeMovingAside?: () => Promise<void>;
  /** Address for `listen`, unless the call names another one; 127.0.0.1 by default. */
  host?: string;
  /** Acknowledges changes when they are on disk rather than when they are written. */
  fsync?: boolean;
  /** Time limit for a webhook receiver, in wall milliseconds; 30,000 by default. */
  webhookTimeoutMs?: number;
  /**
   * Certificates as PEM that receivers are trusted by, beside the usual authorities; kept with the
   * state.
   */
  webhookCa?: string;
  /** Takes any certificate of receivers on loopback. Applies to this start. */
  insecureWebhooks?: boolean;
  /** Webhook endpoint of the platform. */
  webhookEndpoint?: string;
  /** Domains of the sandbox's own UMA addresses; `sandbox.uma.test` by default. */
  sandboxUmaDomains?: readonly string[];
  /** Private key that signs webhooks, PEM on P-256; drawn or derived by default, and kept. */
  webhookKey?: string;
  /** Form of the signature header: `base64` alone (default), or `json` for `{"v":"1","s":"…"}`. */
  webhookSignature?: SignatureForm;
  /**
   * Signs webhooks and ID tokens without randomness (RFC 6979): the same bytes get the same
   * signature. Applies to this start.
   */
  deterministicSignatures?: boolean;
  /** Client id of the platform. Id and secret are drawn or derived by default, and kept. */
  clientId?: string;
  clientSecret?: string;
  /**
   * Word of another brand in place of `service` on the wire, or a brand with what its clients
   * expect. A world keeps the brand that it was made with.
   */
  brand?: string | BrandFile;
  /** Wallet proofs that are accepted: `both` magic and genuine ones (default), or only one kind. */
  crypto?: "both" | "magic-only" | "strict";
  /** `email`: a new wallet gets an EMAIL_OTP credential for its customer's address. */
  walletCredential?: "none" | "email";
  /** Revision of the service that is served; `service-sim revisions` tells what each changed. */
  revision?: Revision;
  /** Spelling of the two card events: `card.state_change` or `CARD.STATE_CHANGE`. */
  cardEvents?: "lower" | "upper";
  /** File that the run is written to until `close`, for `service-sim replay`. */
  capsule?: string;
  /**
   * One-time codes: `fixed` (default) repeats with the seed, `random` is as in production, and 4 to
   * 12 digits are the code of every mail.
   */
  codes?: "fixed" | "random" | (string & {});
  /** Calls of each token on the simulated clock, as `10/s` or `100/m`; `none` by default. */
  rateLimit?: "none" | (string & {});
  /** Decision on agents' actions that wait: by a person (`ask`), or by the simulator at once. */
  approvals?: "ask" | "approve" | "reject";
  /** Accepted token issuers beside Google, Apple and the built-in one. */
  oidcIssuers?: readonly string[];
  /**
   * JWKS whose keys may sign tokens, each `<issuer>=<file or url>`. One without an issuer counts
   * for any issuer while `crypto` is `both`, and is refused with `strict`.
   */
  oidcJwks?: string | readonly string[];
  /** Further host names for the control surface, like a container's name. */
  allowHosts?: readonly string[];
  /** Origins of pages that may call the platform, like `http://localhost:5173`; none by default. */
  allowOrigins?: readonly string[];
  /**
   * Beginnings of credentials that calls are refused with, beside those that always count as
   * production's: `sk_live_`, `live_` and `prod_`.
   */
  productionPrefixes?: readonly string[];
  /** Receivers that may be called although they are not public: names, addresses, CIDR ranges. */
  allowWebhookTargets?: readonly string[];
  /** Counts as listening beyond loopback, for use behind a tunnel. */
  tunnel?: boolean;
  /**
   * `open` (default): a client id like `sandbox+checkout-7` opens the world `checkout-7`, a copy of
   * the starting world, at its first call. `fixed`: only worlds that were created answer.
   */
  worlds?: "open" | "fixed";
  /** Most worlds at a time; 1,000 by default. */
  maxWorlds?: number;
  /** Span like `10m` (default) without a call, of real time, after which a world is unloaded. */
  worldTtl?: string;
  /** Takes over a state directory whose owner cannot be checked. */
  force?: boolean;
  /**
   * Starts before timers that fell due meanwhile have fired. Calls wait for them, except
   * `/_sim/live` and `/_sim/ready`; `ready()` resolves when all have fired.
   */
  answersBeforeReady?: boolean;
  /**
   * Called for each request, timer and webhook attempt. A webhook that is collected for lack of an
   * endpoint has attempt 0 and status UNDELIVERABLE.
   */
  onActivity?: (activity: Activity) => void;
  /** Called after `keys rotate` with the public key, PEM, that verifies webhooks. */
  onWebhookKey?: (publicPem: string) => void;
  /** Called when a state directory that went away was made again. */
  onStateMadeAgain?: () => void;
  /** Called with problems for the operator: a stopped world, failing storage, a bug. */
  onAlarm?: (message: string) => void;
}

/** One request, webhook attempt or timer, as reported to `onActivity`. */
export type Activity = (
  | ({ kind: "request" } & RequestReport)
  | ({ kind: "webhook" } & AttemptReport)
  | ({ kind: "timer" } & FiredTimer)
) & {
  /** Name of the world, unless it is the starting one. */
  world?: string;
};

/** Default address to listen on. */
export const LOOPBACK = "127.0.0.1";

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

/**
 * Refuses an empty value: as a secret it would let everyone in, and it often is an unset variable.
 */
const requireValue = (option: keyof SimulatorOptions, text: string) => {
  if (text === "")
    throw new OptionError(`Expected ${option} to have a value but found an empty one`, option);
  return text;
};

const instantMs = (text: string) => {
  const found = startInstantOf(text);
  if (typeof found === "string") throw unfit("now", found, shownText(text));
  return found;
};

const storageOf = (text: string) => {
  const storage = parseStorageUrl(text);
  if (!storage) throw unfit("storage", STORAGE_URL, wrongStorageUrl(text));
  return storage;
};

const endpointOf = (text: string) => {
  if (!isHttpUrl(text))
    throw unfit("webhookEndpoint", "an http or https URL", shownText(withoutPasswords(text)));
  if (namesForbiddenAddress(text))
    throw unfit(
      "webhookEndpoint",
      "a receiver",
      `a link-local or metadata address, "${withoutPasswords(text)}"`,
    );
  return text;
};

const umaDomainOf = (name: string) => {
  if (!isUmaDomain(name)) throw unfit("sandboxUmaDomains", "a domain name", shownText(name));
  return name.toLowerCase();
};

const issuerOf = (text: string) =>
  requirePrintable("oidcIssuers", requireValue("oidcIssuers", text));

const keyOf = (pem: string) => {
  if (!isSigningKey(pem))
    throw unfit("webhookKey", "a private key on P-256 as PEM", "something else");
  return pem;
};

/** Refuses text that a header cannot carry: credentials travel in headers. */
const requirePrintable = (option: keyof SimulatorOptions, text: string) => {
  if (!isPrintable(text)) throw unfit(option, "text without control characters", "some");
  return text;
};

/** Refuses a colon in an id, since it ends the user name of HTTP Basic. */
const clientIdOf = (text: string) => {
  if (text.includes(":")) throw unfit("clientId", "text without a colon", shownText(text));
  return requirePrintable("clientId", requireValue("clientId", text));
};

const clientSecretOf = (text: string) =>
  requirePrintable("clientSecret", requireValue("clientSecret", text));

const paceOf = (word: string) => {
  const pace = clockOf(word);
  if (!pace) throw unfit("clock", CLOCK_FORM, shownText(word));
  // A speed of earlier starts ends with a mode that names none.
  return { clockMode: pace.mode, clockSpeed: pace.speed };
};

const identityOf = (options: SimulatorOptions): GivenIdentity => {
  const { seed, now, clock, clientId, clientSecret, webhookKey } = options;
  const misfit = productionMisfit(options);
  if (misfit) throw unfit(misfit.option, misfit.wanted, misfit.found);
  return {
    ...(seed !== undefined && { seed: requireValue("seed", String(seed)) }),
    ...(now !== undefined && { startMs: instantMs(now) }),
    ...(clock && paceOf(clock)),
    ...(clientId !== undefined && { clientId: clientIdOf(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: clientSecretOf(clientSecret) }),
    ...(webhookKey !== undefined && { webhookKeyPem: keyOf(webhookKey) }),
  };
};

/** UMA domains of the sandbox; an empty list means the default, since a sandbox has a domain. */
const umaDomainsOf = (names: readonly string[]) =>
  names.length > 0 ? names.map(umaDomainOf) : DEFAULT_SETTINGS.sandboxUmaDomains;

const limitOf = (text: string) => {
  if (!isRateLimit(text)) throw unfit("rateLimit", RATE_LIMIT_FORM, shownText(text));
  return text;
};

const settingsOf = (options: SimulatorOptions): WorldSettings => {
  const { crypto, walletCredential, approvals, cardEvents, revision } = options;
  const { webhookSignature, oidcIssuers, sandboxUmaDomains, codes } = options;
  return {
    ...defined({
      cryptoMode: crypto,
      walletCredential,
      approvals,
      cardEvents,
      revision,
      webhookSignature,
    }),
    ...(codes !== undefined && { codes: codeSettingOf(codes) }),
    ...(options.rateLimit !== undefined && { rateLimit: limitOf(options.rateLimit) }),
    ...(oidcIssuers && { oidcIssuers: oidcIssuers.map(issuerOf) }),
    ...(sandboxUmaDomains && { sandboxUmaDomains: umaDomainsOf(sandboxUmaDomains) }),
  };
};

/** Whether only this machine can reach a simulator at this place. */
export const isLocalPlace = ({ host = LOOPBACK, tunnel = false }: Place) =>
  isLoopbackName(host) && !tunnel;

/**
 * Credentials derived from the seed, for loopback only: everyone who knows the seed can make them.
 */
const seededOf = ({ seed, ...place }: SimulatorOptions) => {
  const isHere = isLocalPlace({ ...place, host: requireValue("host", place.host ?? LOOPBACK) });
  return seed !== undefined && isHere ? { seeded: seededCredentials(String(seed)) } : {};
};

type Place = Pick<SimulatorOptions, "host" | "tunnel">;

/**
 * Credentials that everyone who knows the seed can make; none where only this machine reaches it.
 * @throws OptionError when there are some, and the options named no place beyond loopback
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

const brandOf = (given: unknown) => {
  const brand = readBrand(given);
  if (typeof brand === "string") throw new OptionError(`brand: ${brand}`, "brand");
  return brand;
};

const caOf = (text: string) => {
  const pem = trustedPem(text);
  if (!pem) throw unfit("webhookCa", "certificates as PEM", "none that can be read");
  return pem;
};

const openingOf = ({
  webhookEndpoint,
  webhookCa,
  brand,
  ...options
}: SimulatorOptions): InitialSettings => {
  const branded = brand === undefined ? undefined : brandOf(brand);
  return {
    ...(branded && { brand: branded.brand }),
    settings: { ...branded?.settings, ...settingsOf(options) },
    ...(webhookCa !== undefined && { webhookCa: caOf(webhookCa) }),
    ...(webhookEndpoint !== undefined && {
      webhookEndpoint: endpointAddress(endpointOf(webhookEndpoint)),
    }),
  };
};

/**
 * The options in the form of the runtime.
 * @throws OptionError for an unusable option
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
