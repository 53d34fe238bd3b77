import type { CommandOption } from "./command.ts";
import { DEFAULT_STORAGE } from "./instance-file.ts";

/** Options that `start` and `exec` share. */
export const SIMULATOR_OPTIONS: readonly CommandOption[] = [
  { flags: "--seed <text>", summary: "same seed and same requests give the same ids" },
  {
    flags: "--fixture <name or path>",
    summary: "world to start with: payouts-demo, agent-demo, or a JSON file (default: default)",
  },
  { flags: "--now <instant>", summary: "starting instant of new state" },
  {
    flags: "--clock <mode>",
    summary: "real: runs with the wall's; manual: stands still until moved",
    choices: ["real", "manual"],
  },
  { flags: "--client-id <text>", summary: "user name of HTTP Basic (default: kept, or sandbox)" },
  { flags: "--client-secret <text>", summary: "its password (default: kept, or drawn once)" },
  { flags: "--webhook-endpoint <url>", summary: "where webhooks go from the start" },
  {
    flags: "--webhook-key <pem file>",
    summary: "private key that signs webhooks (default: kept, or made once)",
  },
  {
    flags: "--webhook-signature <form>",
    summary: 'the signature header: base64 alone, or json as {"v":"1","s":"…"} (default: base64)',
    choices: ["base64", "json"],
  },
  { flags: "--webhook-timeout <ms>", summary: "how long a receiver may take (default: 30000)" },
  {
    flags: "--crypto <mode>",
    summary: "wallet proofs that count: both, magic-only, strict (default: both)",
    choices: ["both", "magic-only", "strict"],
  },
  {
    flags: "--wallet-credential <type>",
    summary: "email: new wallets sign in by their customer's address (default: none)",
    choices: ["none", "email"],
  },
  {
    flags: "--card-events <case>",
    summary: "names of the cards' events: lower, as card.state_change, or upper (default: lower)",
    choices: ["lower", "upper"],
  },
  { flags: "--auto-approve", summary: "approve agents' actions that would wait for a person" },
  { flags: "--auto-reject", summary: "reject them" },
  { flags: "--oidc-issuer <urls>", summary: "further token issuers, joined by commas" },
  {
    flags: "--oidc-jwks <issuer=file or url>",
    summary: "JWKS with an issuer's keys, which makes it a known one; may be repeated",
    repeats: true,
  },
  {
    flags: "--sandbox-uma-domain <names>",
    summary: "domains of $success.usd and the like, joined by commas",
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

/** `--webhook-key <pem file>` is `webhookKey` to programs and config files. */
export const optionName = (flags: string) =>
  (/--([a-z-]+)/.exec(flags)?.[1] ?? "").replace(/-([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );

/**
 * Options a config file may give: what a start is told, and where commands find it. Not those of
 * one start alone: a detached one would read `detach` there and detach again, without end.
 */
export const CONFIG_NAMES: readonly string[] = [
  ...START_OPTIONS.filter(({ noEnvironment }) => !noEnvironment).map(({ flags }) =>
    optionName(flags),
  ),
  "url",
];
