import { CLOCK_FORM, clockOf } from "../contract/control/clock-modes.ts";
import type { CryptoMode } from "../contract/core/crypto-modes.ts";
import { defined } from "../contract/core/defined.ts";
import { endpointAddress, withoutPasswords } from "../contract/core/endpoint-address.ts";
import { isLoopbackName, LOOPBACK } from "../contract/core/loopback.ts";
import { isHttpUrl, isPrintable, namesForbiddenAddress } from "../contract/core/network-reach.ts";
import { productionMisfit } from "../contract/core/production-credentials.ts";
import { startInstantOf } from "../contract/core/start-instant.ts";
import { isUmaDomain } from "../contract/core/uma-domain.ts";
import { isRateLimit, RATE_LIMIT_FORM } from "../contract/platform/rate-limit-text.ts";
import { type JwksSource, jwksProblem, jwksSourceOf } from "../control/id-token-keys.ts";
import { trustedPem } from "../crypto/certificates.ts";
import { codeSettingOf } from "../crypto/code-setting.ts";
import { isSigningKey } from "../crypto/ecdsa.ts";
import {
  type Guessable,
  guessableOf,
  type SeededCredentials,
  seededCredentials,
} from "../crypto/seeded-credentials.ts";
import { DEFAULT_SETTINGS } from "../domain/core/world-settings.ts";
import { readBrand } from "../domain/platform/brands.ts";
import type { InitialSettings, WorldSettings } from "../domain/records/initial-settings.ts";
import { cryptoMode } from "../domain/wallets/crypto-mode.ts";
import { machineWall } from "../runtime/ports.ts";
import type { OpenWorld, WorldOptions } from "../storage/open-world.ts";
import type { GivenIdentity, Identity } from "../storage/world/identity.ts";
import {
  parseStorageUrl,
  STORAGE_URL,
  type StorageUrl,
  wrongStorageUrl,
} from "../storage/world/storage-url.ts";
import { OptionError, type SimulatorOptions, shownText, unfit } from "./simulator-options.ts";

/**
 * Refuses an empty value: as a secret it would let everyone in, and it often is an unset variable.
 */
const requireValue = (option: keyof SimulatorOptions, text: string) => {
  if (text === "")
    throw new OptionError(`Expected ${option} to have a value but found an empty one`, option);
  return text;
};

const instantMs = (text: string) => {
  const startInstant = startInstantOf(text);
  if (typeof startInstant === "string") throw unfit("now", startInstant, shownText(text));
  return startInstant;
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

/** The options of a start that name what an identity has. */
export const optionsOf = ({ seed, startMs, clockMode, clockSpeed, clientId }: Identity) => ({
  seed,
  clientId,
  now: startMs === undefined ? undefined : new Date(startMs).toISOString(),
  clock: clockMode === "real" && clockSpeed !== undefined ? `${clockSpeed}x` : clockMode,
});

/** UMA domains of the sandbox; an empty list means the default, since a sandbox has a domain. */
const umaDomainsOf = (names: readonly string[]) =>
  names.length > 0 ? names.map(umaDomainOf) : DEFAULT_SETTINGS.sandboxUmaDomains;

const limitOf = (text: string) => {
  if (!isRateLimit(text)) throw unfit("rateLimit", RATE_LIMIT_FORM, shownText(text));
  return text;
};

const settingsOf = (options: SimulatorOptions): WorldSettings => {
  const { crypto, walletCredential, approvals, cardEvents, revision, endUserTerms } = options;
  const { webhookSignature, oidcIssuers, sandboxUmaDomains, codes } = options;
  return {
    ...defined({
      cryptoMode: crypto,
      walletCredential,
      approvals,
      cardEvents,
      revision,
      endUserTerms,
      webhookSignature,
    }),
    ...(codes !== undefined && { codes: codeSettingOf(codes) }),
    ...(options.rateLimit !== undefined && { rateLimit: limitOf(options.rateLimit) }),
    ...(oidcIssuers && { oidcIssuers: oidcIssuers.map(issuerOf) }),
    ...(sandboxUmaDomains && { sandboxUmaDomains: umaDomainsOf(sandboxUmaDomains) }),
  };
};

/** Whether only this machine can reach a simulator at this place. */
export const isLocalPlace = ({ host = LOOPBACK, tunnel = false }: ReachOptions) =>
  isLoopbackName(host) && !tunnel;

/**
 * Credentials derived from the seed, for loopback only: everyone who knows the seed can make them.
 */
const seededOf = ({ seed, ...place }: SimulatorOptions) => {
  const isHere = isLocalPlace({ ...place, host: requireValue("host", place.host ?? LOOPBACK) });
  return seed !== undefined && isHere ? { seeded: seededCredentials(String(seed)) } : {};
};

type ReachOptions = Pick<SimulatorOptions, "host" | "tunnel">;

/**
 * Credentials that everyone who knows the seed can make; none where only this machine reaches it.
 * @throws OptionError when there are some, and the options named no place beyond loopback
 */
export const guessableAt = (
  place: ReachOptions,
  options: ReachOptions,
  identity: SeededCredentials & { seed: string },
): Guessable[] => {
  const guessable = isLocalPlace(place) ? [] : guessableOf(identity);
  const isHostTold = (place.host ?? LOOPBACK) === (options.host ?? LOOPBACK);
  if (guessable.length > 0 && !(isHostTold && (!place.tunnel || options.tunnel)))
    throw new OptionError(
      `Expected createSimulator to be given ${isHostTold ? "tunnel" : `host "${place.host}"`} but ` +
        `found ${guessable.join(" and ")} that come from the seed`,
    );
  return guessable;
};

const brandOf = (value: unknown) => {
  const brand = readBrand(value);
  if (typeof brand === "string") throw new OptionError(`brand: ${brand}`, "brand");
  return brand;
};

const caOf = (text: string) => {
  const pem = trustedPem(text);
  if (!pem) throw unfit("webhookCa", "certificates as PEM", "no readable certificate");
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

/** Options that act on a folder, and why a database does without them (spec/store.md#start). */
const OF_A_FOLDER = {
  fresh: "only a folder is moved aside, and other simulators may serve the worlds of a database",
  force: "only a folder needs it: a database frees the worlds of a simulator 5 s after its end",
} as const;

/** The reason why options of several processes are refused without a database. */
export const SHARED_ONLY =
  "only the worlds of a database are served by several processes; " +
  "start with --storage postgres://<user>:<password>@<host>/<database>";

const requireDatabaseFor = ({ kind }: StorageUrl, options: SimulatorOptions) => {
  if (kind === "postgres") return;
  for (const option of ["peer", "leaseMs"] as const)
    if (options[option] !== undefined) throw new OptionError(`${option}: ${SHARED_ONLY}`, option);
};

/** A name or an address, in brackets when it has colons, and a port. */
const PEER = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):(\d{1,5})$/i;

/** Addresses that mean every one of this machine, at which no other machine finds it. */
const EVERY_ADDRESS = /^(0\.0\.0\.0|\[::\]):/;

const PEER_FORM = "a host and a port that other processes reach, like 10.0.0.5:4748";

const peerOf = (text: string) => {
  const port = Number(PEER.exec(text)?.[1] ?? Number.NaN);
  if (!(port <= 65_535) || EVERY_ADDRESS.test(text))
    throw unfit("peer", PEER_FORM, shownText(withoutPasswords(text)));
  return text;
};

/** Milliseconds of `drain()` where processes share a database: others learn that one leaves. */
const SHARED_DRAIN_MS = 5_000;

/** Milliseconds for which a simulator that is to stop still serves calls. */
export const drainMsOf = ({ drainMs, peer }: SimulatorOptions): number =>
  drainMs ?? (peer === undefined ? 0 : SHARED_DRAIN_MS);

const requireFolderFor = ({ kind }: StorageUrl, options: SimulatorOptions) => {
  if (kind !== "postgres") return;
  for (const option of ["fresh", "force"] as const)
    if (options[option]) throw new OptionError(`${option}: ${OF_A_FOLDER[option]}`, option);
};

const placeOf = (options: SimulatorOptions): StorageUrl => {
  const storage = storageOf(options.storage ?? "memory:");
  requireFolderFor(storage, options);
  requireDatabaseFor(storage, options);
  return storage;
};

/**
 * The options in the form of the runtime.
 * @throws OptionError for an unusable option
 */
export const worldOptionsOf = (options: SimulatorOptions): WorldOptions => {
  return {
    storage: placeOf(options),
    wall: machineWall,
    fsync: options.fsync ?? false,
    identity: identityOf(options),
    ...seededOf(options),
    opening: openingOf(options),
    ...(options.peer !== undefined && { peer: peerOf(options.peer) }),
    ...defined({ leaseMs: options.leaseMs }),
    ...(options.fresh && { fresh: true }),
    ...(options.beforeMovingAside && { beforeMovingAside: options.beforeMovingAside }),
    ...(options.force && { force: true }),
  };
};

/** The JWKS sources of a start, in their parsed form; none is loaded here. */
export const jwksSourcesOf = ({ oidcJwks = [] }: SimulatorOptions) =>
  [oidcJwks].flat().map(jwksSourceOf);

/**
 * Refuses JWKS that a crypto mode cannot use (spec/id-tokens.md#jwks-option).
 * @throws OptionError
 */
export const requireJwks = (sources: readonly JwksSource[], mode: CryptoMode = "both") => {
  const problem = jwksProblem(sources, mode);
  if (problem !== undefined) throw new OptionError(problem);
};

/**
 * Checks the JWKS again for an existing state, whose crypto mode may be strict without an option.
 * @throws OptionError; the world is closed then
 */
export const requireJwksOfState = async (
  sources: readonly JwksSource[],
  { crypto }: SimulatorOptions,
  world: OpenWorld,
) => {
  if (world.isNew) return;
  try {
    requireJwks(sources, crypto ?? cryptoMode(world.engine.state));
  } catch (error) {
    await world.close();
    throw error;
  }
};
