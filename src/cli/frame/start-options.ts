import type { CommandOption } from "./command.ts";
import { DEFAULT_STORAGE } from "./instance-file.ts";

/** Options that `start` and `exec` share. */
export const SIMULATOR_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--seed <text>",
    summary: "same seed and same requests give the same ids (default: kept, or drawn)",
  },
  {
    flags: "--fixture <name or path>",
    summary: "payouts-demo, agent-demo, or a JSON file (default: kept, or default)",
  },
  {
    flags: "--now <instant>",
    summary: "starting instant of new state (default: kept, or the system clock's)",
  },
  {
    flags: "--clock <mode>",
    summary: "real: follows the system clock; manual: stands still (default: kept, or real)",
    choices: ["real", "manual"],
  },
  { flags: "--client-id <text>", summary: "user name of HTTP Basic (default: kept, or sandbox)" },
  {
    flags: "--client-secret <text>",
    summary: "its password (default: kept, or from --seed on loopback, or drawn)",
  },
  {
    flags: "--webhook-endpoint <url>",
    summary: "where webhooks go from the start (default: kept, or none)",
  },
  {
    flags: "--webhook-key <pem file>",
    summary: "key that signs webhooks (default: kept, or from --seed on loopback, or drawn)",
  },
  {
    flags: "--webhook-signature <form>",
    summary: 'signature header: base64, or json {"v":"1","s":"…"} (default: kept, or base64)',
    choices: ["base64", "json"],
  },
  {
    flags: "--allow-webhook-target <host or range>",
    summary: "beyond loopback, also call this host, address or CIDR range; may be repeated",
    repeats: true,
  },
  { flags: "--webhook-timeout <ms>", summary: "how long a receiver may take (default: 30000)" },
  {
    flags: "--crypto <mode>",
    summary: "wallet proofs that count: both, magic-only, strict (default: kept, or both)",
    choices: ["both", "magic-only", "strict"],
  },
  {
    flags: "--wallet-credential <type>",
    summary: "email: new wallets sign in by their customer's address (default: kept, or none)",
    choices: ["none", "email"],
  },
  {
    flags: "--card-events <case>",
    summary: "card events: lower, as card.state_change, or upper (default: kept, or lower)",
    choices: ["lower", "upper"],
  },
  {
    flags: "--approvals <mode>",
    summary: "agents' actions that wait: ask a person, approve, reject (default: kept, or ask)",
    choices: ["ask", "approve", "reject"],
  },
  { flags: "--auto-approve", summary: "the same as --approvals approve" },
  { flags: "--auto-reject", summary: "the same as --approvals reject" },
  {
    flags: "--oidc-issuer <urls>",
    summary: "further token issuers, joined by commas (default: kept, or none)",
  },
  {
    flags: "--oidc-jwks <issuer=file or url>",
    summary: "JWKS with an issuer's keys, which makes it a known one; may be repeated",
    repeats: true,
  },
  {
    flags: "--sandbox-uma-domain <names>",
    summary: "domains of $success.usd and the like, by commas (default: kept, or sandbox.uma.test)",
  },
];

/** Options of `start`. */
export const START_OPTIONS: readonly CommandOption[] = [
  { flags: "--port <number>", summary: "port to listen on, 0 for any free one", default: "4747" },
  { flags: "--host <address>", summary: "address to listen on", default: "127.0.0.1" },
  { flags: "--storage <url>", summary: "memory: or file:<directory>", default: DEFAULT_STORAGE },
  { flags: "--fsync", summary: "acknowledge only what is on disk, not what is written" },
  ...SIMULATOR_OPTIONS,
  {
    flags: "--allow-host <names>",
    summary: "further host names of the control surface, joined by commas",
  },
  {
    flags: "--fresh",
    summary: "begin a new world; the state that is there is moved into a folder within it",
  },
  { flags: "--force", summary: "take over a state directory whose owner cannot be checked" },
  {
    flags: "--detach",
    summary: "return when it is ready; it logs into the state directory",
    noEnvironment: true,
  },
  {
    flags: "--verbose",
    summary: "print a line per request and webhook also off a terminal",
    noEnvironment: true,
  },
  {
    flags: "--tui",
    summary: "watch it on this terminal from the start; leaving stops it",
    noEnvironment: true,
  },
  { flags: "--open", summary: "open the API's address in a browser" },
  { flags: "--https", summary: "serve https with a certificate made for this start" },
  { flags: "--qr", summary: "print a QR code of the address" },
  { flags: "--tunnel", summary: "make the address reachable from outside" },
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
