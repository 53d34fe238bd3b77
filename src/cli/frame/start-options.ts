import { REVISIONS } from "../../contract/core/revisions.ts";
import { bundledNames } from "../../scripts/bundled-names.ts";
import type { CommandOption } from "./command.ts";
import { DEFAULT_STORAGE } from "./instance-file.ts";

/** Beginnings of credentials that a simulator refuses, and the commands that call another service. */
export const PRODUCTION_PREFIX: CommandOption = {
  flags: "--production-prefix <text>",
  summary:
    "refuse credentials with this beginning too, beside sk_live_, live_ and prod_; may be repeated",
  repeats: true,
};

/** Options that `start` and `exec` share. */
export const SIMULATOR_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--seed <text>",
    summary: "same seed and same requests give the same ids (default: kept, or random)",
  },
  {
    flags: "--fixture <name or path>",
    summary: "a world of the package by name, or a JSON file (default: kept, or default)",
    // Read when a shell completes, since every command loads this table.
    get completes() {
      return bundledNames();
    },
  },
  {
    flags: "--now <instant>",
    summary:
      "simulated time at which a new world starts, with Z or an offset, 1970 to 2200 (default: kept, or now)",
  },
  {
    flags: "--clock <mode or speed>",
    summary:
      "real: system clock; 60x: 60 times faster; manual: moves only with advance; " +
      "auto: skips while a client waits (default: kept, or real)",
    completes: ["real", "manual", "auto", "60x"],
  },
  { flags: "--client-id <text>", summary: "user name of HTTP Basic (default: kept, or sandbox)" },
  {
    flags: "--client-secret <text>",
    summary: "password of HTTP Basic (default: kept, or from --seed on loopback, or random)",
  },
  {
    flags: "--webhook-endpoint <url>",
    summary: "URL that receives webhooks (default: kept, or none)",
  },
  {
    flags: "--webhook-ca <file>",
    summary: "trust receivers by the certificates in this PEM file too (default: kept, or none)",
  },
  {
    flags: "--insecure-webhooks",
    summary: "take any certificate of receivers on loopback; others are still checked",
  },
  {
    flags: "--webhook-key <pem file>",
    summary: "key that signs webhooks (default: kept, or from --seed on loopback, or random)",
  },
  {
    flags: "--webhook-signature <form>",
    summary: 'signature header: base64, or json {"v":"1","s":"…"} (default: kept, or base64)',
    choices: ["base64", "json"],
  },
  {
    flags: "--deterministic-signatures",
    summary: "give the same bytes the same signature, in webhooks and ID tokens (RFC 6979)",
  },
  {
    flags: "--allow-webhook-target <host or range>",
    summary: "allow webhooks to this host, address or CIDR range too; may be repeated",
    repeats: true,
  },
  {
    flags: "--allow-origin <origin>",
    summary: "let pages of this origin, like http://localhost:5173, call the API; may be repeated",
    repeats: true,
  },
  PRODUCTION_PREFIX,
  {
    flags: "--webhook-timeout <ms>",
    summary: "time limit for a receiver to answer, in milliseconds (default: 30000)",
  },
  {
    flags: "--brand <word or file>",
    summary:
      "say this word in place of service on the wire, as clients of that brand expect (default: kept, or service)",
  },
  {
    flags: "--crypto <mode>",
    summary:
      "accepted wallet proofs: magic values, real signatures (strict) or both (default: kept, or both)",
    choices: ["both", "magic-only", "strict"],
  },
  {
    flags: "--wallet-credential <type>",
    summary:
      "give new wallets a sign-in by their customer's email address (default: kept, or none)",
    choices: ["none", "email"],
  },
  {
    flags: "--codes <fixed, random or digits>",
    summary:
      "one-time codes: from the seed (fixed), as in production (random), or always these digits (default: kept, or fixed)",
    completes: ["fixed", "random"],
  },
  {
    flags: "--revision <revision>",
    summary:
      "serve this revision of the service, as `service-sim revisions` lists them (default: kept, or 2025-10)",
    choices: REVISIONS,
  },
  {
    flags: "--card-events <case>",
    summary:
      "spell card events as card.state_change (lower) or CARD.STATE_CHANGE (default: kept, or lower)",
    choices: ["lower", "upper"],
  },
  {
    flags: "--approvals <mode>",
    summary:
      "ask a person about waiting agent actions, or approve or reject them (default: kept, or ask)",
    choices: ["ask", "approve", "reject"],
  },
  {
    flags: "--rate-limit <calls/unit>",
    summary:
      "answer 429 to more calls of a token than this, e.g. 10/s or 100/m (default: kept, or none)",
  },
  { flags: "--auto-approve", summary: "same as --approvals approve" },
  { flags: "--auto-reject", summary: "same as --approvals reject" },
  {
    flags: "--oidc-issuer <urls>",
    summary: "accept ID tokens of these issuers too, separated by commas (default: kept, or none)",
  },
  {
    flags: "--oidc-jwks <issuer=file or url>",
    summary: "read an issuer's keys from this JWKS and accept its tokens; may be repeated",
    repeats: true,
  },
  {
    flags: "--worlds <mode>",
    summary:
      "open: a client id like sandbox+name opens its world; fixed: only created ones answer (default: fixed, with exec open)",
    choices: ["open", "fixed"],
  },
  {
    flags: "--max-worlds <number>",
    summary: "refuse further worlds past this number (default: 1000)",
  },
  {
    flags: "--world-ttl <span>",
    summary: "unload worlds that nobody has called for this long, in real time (default: 10m)",
  },
  {
    flags: "--sandbox-uma-domain <names>",
    summary:
      "domains of test addresses such as $success.usd, by commas (default: kept, or sandbox.uma.test)",
  },
];

export const WITH_SECRETS: CommandOption = {
  flags: "--with-secrets",
  summary: "keep refused credentials and secrets of replies in the capsule",
  noEnvironment: true,
};

/** Options of a run that is written down. */
export const CAPSULE_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--capsule <file>",
    summary: "write down everything that is needed to repeat this run with service-sim replay",
    noEnvironment: true,
  },
  WITH_SECRETS,
];

/** Options of `start`. */
export const START_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--port <number or auto>",
    summary: "port to listen on; 0 picks a free one, auto one that this folder's path decides",
    default: "4747",
  },
  { flags: "--host <address>", summary: "address to listen on", default: "127.0.0.1" },
  {
    flags: "--storage <url>",
    summary: "place of the state: memory: or file:<directory>",
    default: DEFAULT_STORAGE,
  },
  { flags: "--fsync", summary: "answer a request only after its change has reached the disk" },
  ...SIMULATOR_OPTIONS,
  {
    flags: "--allow-host <names>",
    summary: "allow these host names on the control surface too, separated by commas",
  },
  {
    flags: "--fresh",
    summary: "begin a new world; existing state moves into a subfolder",
  },
  { flags: "--force", summary: "take over a state directory whose owner cannot be checked" },
  {
    flags: "--detach",
    summary: "run in the background and return when ready; log into the state directory",
    noEnvironment: true,
  },
  {
    flags: "--verbose",
    summary: "print a line per request and webhook even without a terminal, control calls too",
    noEnvironment: true,
  },
  {
    flags: "--log <form>",
    summary: "text for people, or json: one object a line, alone on stdout (default: text)",
    choices: ["text", "json"],
  },
  {
    flags: "--tui",
    summary: "show the screen; leaving it stops the simulator",
    noEnvironment: true,
  },
  ...CAPSULE_OPTIONS,
  { flags: "--open", summary: "open the console in a browser" },
  { flags: "--https", summary: "serve https with a certificate made for this start" },
  { flags: "--qr", summary: "print a QR code of the address" },
  { flags: "--tunnel", summary: "make the address reachable from the internet" },
];

/** Names `--webhook-key <pem file>` as programs and config files do: `webhookKey`. */
export const optionName = (flags: string) =>
  (/--([a-z-]+)/.exec(flags)?.[1] ?? "").replace(/-([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );

/**
 * Options that a config file may set: settings of a start, and the address for commands. Options of
 * a single start are left out: a detached process would read `detach` there and detach again.
 */
export const CONFIG_NAMES: readonly string[] = [
  ...START_OPTIONS.filter(({ noEnvironment }) => !noEnvironment).map(({ flags }) =>
    optionName(flags),
  ),
  "url",
];
