import { CLOCK_MODES } from "../contract/control/clock-modes.ts";
import type { BrandFile } from "../contract/core/brand-words.ts";
import { CODE_WAYS } from "../contract/core/code-choices.ts";
import { CRYPTO_MODES } from "../contract/core/crypto-modes.ts";
import { REVISIONS } from "../contract/core/revision-names.ts";
import {
  APPROVAL_MODES,
  CARD_EVENTS,
  END_USER_TERMS_MODES,
  SIGNATURE_FORMS,
  WALLET_CREDENTIALS,
  WORLD_MODES,
} from "../contract/core/world-settings.ts";
import type { BundledFixture } from "../contract/platform/bundled-fixtures.ts";
import { bundledNames } from "../scripts/bundled-names.ts";
import {
  CLOCK,
  CODES,
  type Form,
  flagOption,
  isObject,
  LIST,
  numberTo,
  oneOf,
  option,
  SWITCH,
  TEXT,
  textOr,
  wholeNumberTo,
} from "./option-row.ts";

/** The longest delay that a timer of Node.js takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Most worlds of a process. */
const MAX_WORLDS = 100_000;

const INSTANT: Form<string> = { ...TEXT, says: "an instant like 2026-01-05T09:00:00Z" };

const FIXTURE: Form<BundledFixture | (string & {}) | object> = textOr(
  "the name of a fixture, a path or a fixture",
  isObject,
);

/**
 * Options of a start that `exec` has too, under their names in the library and a config file, in
 * the order of the help.
 */
export const EXEC_OPTIONS = {
  /**
   * Any text; the same seed and the same requests give the same ids. On loopback the client secret,
   * the webhook key and the token issuer's key of new state are derived from it too.
   */
  seed: option(textOr<number>("text or a number", Number.isFinite), {
    flags: "--seed <text>",
    summary: "same seed and same requests give the same ids (default: kept, or random)",
  }),
  /** Fixture of the default world: a bundled name, a file's path, or the fixture itself. */
  fixture: option(FIXTURE, {
    flags: "--fixture <name or path>",
    summary: "a bundled fixture by name, or a JSON file (default: kept, or default)",
    completes: bundledNames,
    notRecorded: true,
  }),
  /** Starting instant of new state, ISO 8601. */
  now: option(INSTANT, {
    flags: "--now <instant>",
    summary:
      "simulated time at which a new world starts, with Z or an offset, 1970 to 2200 (default: kept, or now)",
  }),
  /**
   * `manual`: time moves only when it is advanced. `60x`: it runs 60 times as fast as the system
   * clock. `auto`: it skips to the next timer whenever nothing is under way and a client waits.
   */
  clock: option(CLOCK, {
    flags: "--clock <mode or speed>",
    summary:
      "real: system clock; 60x: 60 times faster; manual: moves only with advance; " +
      "auto: skips while a client waits (default: kept, or real)",
    completes: [...CLOCK_MODES, "60x"],
  }),
  /** Client id of the platform. Id and secret are drawn or derived by default, and kept. */
  clientId: option(TEXT, {
    flags: "--client-id <text>",
    summary: "user name of HTTP Basic (default: kept, or sandbox)",
  }),
  /** Client secret of the platform. */
  clientSecret: option(TEXT, {
    flags: "--client-secret <text>",
    summary: "password of HTTP Basic (default: kept, or from --seed on loopback, or random)",
    notRecorded: true,
  }),
  /** Webhook endpoint of the platform. */
  webhookEndpoint: option(TEXT, {
    flags: "--webhook-endpoint <url>",
    summary: "URL that receives webhooks (default: kept, or none)",
  }),
  /**
   * Certificates as PEM that receivers are trusted by, beside the usual authorities; kept with the
   * state.
   */
  webhookCa: option(TEXT, {
    flags: "--webhook-ca <file>",
    summary: "also trust the certificates in this PEM file for receivers (default: kept, or none)",
    file: "certificates",
  }),
  /** Takes any certificate of receivers on loopback. Applies to this start. */
  insecureWebhooks: option(SWITCH, {
    flags: "--insecure-webhooks",
    summary: "accept any certificate of receivers on loopback; others are still checked",
  }),
  /** Private key that signs webhooks, PEM on P-256; drawn or derived by default, and kept. */
  webhookKey: option(TEXT, {
    flags: "--webhook-key <pem file>",
    summary: "key that signs webhooks (default: kept, or from --seed on loopback, or random)",
    file: "key",
    notRecorded: true,
  }),
  /** Form of the signature header: `base64` alone (default), or `json` for `{"v":"1","s":"…"}`. */
  webhookSignature: option(oneOf(SIGNATURE_FORMS), {
    flags: "--webhook-signature <form>",
    summary: 'signature header: base64, or json {"v":"1","s":"…"} (default: kept, or base64)',
  }),
  /**
   * Signs webhooks and ID tokens without randomness (RFC 6979): the same bytes get the same
   * signature. Applies to this start.
   */
  deterministicSignatures: option(SWITCH, {
    flags: "--deterministic-signatures",
    summary: "sign the same bytes with the same signature, in webhooks and ID tokens (RFC 6979)",
  }),
  /** Receivers that may be called although they are not public: names, addresses, CIDR ranges. */
  allowWebhookTargets: option(LIST, {
    flags: "--allow-webhook-target <host or range>",
    summary: "also allow webhooks to this host, address or CIDR range; may be repeated",
    repeats: true,
  }),
  /** Origins of pages that may call the platform, like `http://localhost:5173`; none by default. */
  allowOrigins: option(LIST, {
    flags: "--allow-origin <origin>",
    summary: "let pages of this origin, like http://localhost:5173, call the API; may be repeated",
    repeats: true,
    notRecorded: true,
  }),
  /**
   * Beginnings of credentials that calls are refused with, beside those that always count as
   * production's: `sk_live_`, `live_` and `prod_`.
   */
  productionPrefixes: option(LIST, {
    flags: "--production-prefix <text>",
    summary:
      "also refuse credentials that begin with this, like sk_live_, live_ and prod_; may be repeated",
    repeats: true,
  }),
  /** Time limit for a webhook receiver, in wall milliseconds; 30,000 by default. */
  webhookTimeoutMs: option(numberTo(MAX_DELAY_MS), {
    flags: "--webhook-timeout <ms>",
    summary: "time limit for a receiver to answer, in milliseconds (default: 30000)",
    max: 600_000,
  }),
  /**
   * Word of another brand in place of `service` on the wire, or a brand with what its clients
   * expect. A world keeps the brand that it was made with.
   */
  brand: option(textOr<BrandFile>("a word or a brand", isObject), {
    flags: "--brand <word or file>",
    summary:
      "use this word instead of service in headers and codes, for clients of that brand (default: kept, or service)",
    file: "brand",
  }),
  /** Wallet proofs that are accepted: `both` magic and genuine ones (default), or only one kind. */
  crypto: option(oneOf(CRYPTO_MODES), {
    flags: "--crypto <mode>",
    summary:
      "accepted wallet proofs: magic values, real signatures (strict) or both (default: kept, or both)",
  }),
  /** `email`: a new wallet gets an EMAIL_OTP credential for its customer's address. */
  walletCredential: option(oneOf(WALLET_CREDENTIALS), {
    flags: "--wallet-credential <type>",
    summary:
      "give new wallets a sign-in by their customer's email address (default: kept, or none)",
  }),
  /**
   * One-time codes: `fixed` (default) repeats with the seed, `random` is as in production, and 4 to
   * 12 digits are the code of every mail.
   */
  codes: option(CODES, {
    flags: "--codes <fixed, random or digits>",
    summary:
      "one-time codes: from the seed (fixed), as in production (random), or always these digits (default: kept, or fixed)",
    completes: CODE_WAYS,
  }),
  /** Revision of the service that is served; `service-sim revisions` tells what each changed. */
  revision: option(oneOf(REVISIONS), {
    flags: "--revision <revision>",
    summary:
      "serve this revision of the service, as `service-sim revisions` lists them (default: kept, or 2025-10)",
  }),
  /** `required`: a customer pays, and has accounts, once its consent is recorded; since 2026-08. */
  endUserTerms: option(oneOf(END_USER_TERMS_MODES), {
    flags: "--end-user-terms <mode>",
    summary:
      "require that customers accept the end-user terms of revision 2026-08 (default: kept, or off)",
  }),
  /** Spelling of the two card events: `card.state_change` or `CARD.STATE_CHANGE`. */
  cardEvents: option(oneOf(CARD_EVENTS), {
    flags: "--card-events <case>",
    summary:
      "spell card events as card.state_change (lower) or CARD.STATE_CHANGE (default: kept, or lower)",
  }),
  /** Decision on agents' actions that wait: by a person (`ask`), or by the simulator at once. */
  approvals: option(oneOf(APPROVAL_MODES), {
    flags: "--approvals <mode>",
    summary:
      "ask a person about waiting agent actions, or approve or reject them (default: kept, or ask)",
  }),
  /** Calls of each token on the simulated clock, as `10/s` or `100/m`; `none` by default. */
  rateLimit: option<"none" | (string & {})>(TEXT, {
    flags: "--rate-limit <calls/unit>",
    summary:
      "answer 429 to more calls of a token than this, e.g. 10/s or 100/m (default: kept, or none)",
  }),
  autoApprove: flagOption({ flags: "--auto-approve", summary: "same as --approvals approve" }),
  autoReject: flagOption({ flags: "--auto-reject", summary: "same as --approvals reject" }),
  /** Accepted token issuers beside Google, Apple and the built-in one. */
  oidcIssuers: option(LIST, {
    flags: "--oidc-issuer <urls>",
    summary: "also accept ID tokens of these issuers, separated by commas (default: kept, or none)",
  }),
  /**
   * JWKS whose keys may sign tokens, each `<issuer>=<file or url>`. One without an issuer counts
   * for any issuer while `crypto` is `both`, and is refused with `strict`.
   */
  oidcJwks: option(textOr<readonly string[]>("text or a list of texts", LIST.fits), {
    flags: "--oidc-jwks <issuer=file or url>",
    summary: "read an issuer's keys from this JWKS and accept its tokens; may be repeated",
    repeats: true,
    notRecorded: true,
  }),
  /**
   * `open` (default): a client id like `sandbox+checkout-7` opens the world `checkout-7`, a copy of
   * the default world, at its first call. `fixed`: only worlds that were created answer.
   */
  worlds: option(oneOf(WORLD_MODES), {
    flags: "--worlds <mode>",
    summary:
      "open: a client id like sandbox+name opens its world; fixed: only created ones answer (default: fixed, with exec open)",
  }),
  /** Most worlds at a time; 1,000 by default. */
  maxWorlds: option(wholeNumberTo(MAX_WORLDS), {
    flags: "--max-worlds <number>",
    summary: "refuse more worlds than this (default: 1000)",
    max: MAX_WORLDS,
  }),
  /** Span like `10m` (default) without a call, of real time, after which a world is unloaded. */
  worldTtl: option(TEXT, {
    flags: "--world-ttl <span>",
    summary: "unload worlds not called for this long, in real time (default: 10m)",
  }),
  /** Domains of the sandbox's own UMA addresses; `sandbox.uma.test` by default. */
  sandboxUmaDomains: option(LIST, {
    flags: "--sandbox-uma-domain <names>",
    summary:
      "domains of test addresses such as $success.usd, by commas (default: kept, or sandbox.uma.test)",
  }),
};
