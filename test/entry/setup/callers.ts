/** Answer of the guard: the code of its refusal, or `enters`. */
export type Verdict =
  | "enters"
  | "HOST_NOT_ALLOWED"
  | "ORIGIN_NOT_ALLOWED"
  | "CONTROL_TOKEN_NEEDED"
  | "WORLD_NOT_FOUND";

/** A caller of the control surface, by its headers. */
export interface Caller {
  says: string;
  headers: Readonly<Record<string, string>>;
  /** On a simulator that listens on loopback. */
  onLoopback: Verdict;
  /** On one that listens beyond it. */
  beyondLoopback: Verdict;
  /** The call names a world, so that no operation is open to it. */
  isNaming?: true;
}

const OWN = { host: "127.0.0.1:PORT" };
const NEEDED = "CONTROL_TOKEN_NEEDED";

/** Hosts of this machine, and the name that `--allow-host` allows. */
const OWN_HOSTS = [
  "127.0.0.1:PORT",
  "127.0.0.1",
  "127.9.9.9:PORT",
  "localhost:PORT",
  "localhost",
  "LocalHost:PORT",
  "LOCALHOST",
  "localhost.:PORT",
  "[::1]:PORT",
  "sim.internal:PORT",
  "Sim.Internal",
];

const FOREIGN_HOSTS = [
  "",
  "evil.example",
  "evil.example:PORT",
  "127.0.0.1.evil.example:PORT",
  "localhost.evil.example",
  "evil-localhost:PORT",
  "localhost-evil",
  "xlocalhost",
  "sim.internal.evil.example",
  "xsim.internal",
  "10.0.0.1:PORT",
  "192.168.0.1:PORT",
  "169.254.169.254",
  "0.0.0.0:PORT",
  "2130706433:PORT",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "127.0.0.1.:PORT",
  "127.0.0.1@evil.example",
  "evil.example#127.0.0.1",
  "evil.example/127.0.0.1",
  "localhost:PORT:80",
  "localhost:80 evil.example",
  "[::ffff:127.0.0.1]:PORT",
  "[::ffff:10.0.0.1]:PORT",
  "[::]:PORT",
  "[fe80::1]:PORT",
  "lоcalhost:PORT".replace("о", "%D0%BE"),
];

const FOREIGN_ORIGINS = [
  "http://evil.example",
  "http://evil.example:PORT",
  "https://127.0.0.1.evil.example:PORT",
  "http://127.0.0.1",
  "http://127.0.0.1:1",
  "https://127.0.0.1:1",
  "http://localhost:PORT",
  "http://[::1]:PORT",
  "http://127.0.0.1:PORT/",
  "http://127.0.0.1:PORT.evil.example",
  "HTTP://127.0.0.1:PORT",
  "http://user@127.0.0.1:PORT",
  "ws://127.0.0.1:PORT",
  "null",
  "",
  "file://",
  "chrome-extension://abc",
  "http://127.0.0.1:PORT, http://evil.example",
];

const FOREIGN_SITES = [
  { site: "cross-site", mode: "no-cors", dest: "image" },
  { site: "cross-site", mode: "no-cors", dest: "script" },
  { site: "cross-site", mode: "cors", dest: "empty" },
  { site: "cross-site", mode: "navigate", dest: "iframe" },
  { site: "cross-site", mode: "navigate", dest: "object" },
  { site: "same-site", mode: "no-cors", dest: "image" },
  { site: "same-site", mode: "websocket", dest: "empty" },
  { site: "cross-origin", mode: "cors", dest: "empty" },
  { site: "SAME-ORIGIN", mode: "cors", dest: "empty" },
  { site: "same-origin, cross-site", mode: "cors", dest: "empty" },
  { site: "", mode: "cors", dest: "empty" },
];

const sent = ({ site, mode, dest }: { site: string; mode: string; dest: string }) => ({
  "sec-fetch-site": site,
  "sec-fetch-mode": mode,
  "sec-fetch-dest": dest,
});

/** A link of a foreign page, followed; it leads to open operations alone. */
const LINK: Caller = {
  says: "a foreign link",
  headers: { ...OWN, ...sent({ site: "cross-site", mode: "navigate", dest: "document" }) },
  onLoopback: "ORIGIN_NOT_ALLOWED",
  beyondLoopback: "ORIGIN_NOT_ALLOWED",
};

const TOKENS: readonly { authorization: string; beyondLoopback: Verdict }[] = [
  { authorization: "Bearer TOKEN", beyondLoopback: "enters" },
  { authorization: "bearer TOKEN", beyondLoopback: NEEDED },
  { authorization: "Bearer  TOKEN", beyondLoopback: NEEDED },
  { authorization: "Bearer TOKENx", beyondLoopback: NEEDED },
  { authorization: "Bearer OTHER", beyondLoopback: NEEDED },
  { authorization: "Bearer ", beyondLoopback: NEEDED },
  { authorization: "TOKEN", beyondLoopback: NEEDED },
  { authorization: "Basic PLATFORM", beyondLoopback: NEEDED },
  { authorization: "Bearer SECRET", beyondLoopback: NEEDED },
];

/** `PORT`, `TOKEN` and the like stand for those of the simulator; see `filledIn`. */
export const CALLERS: readonly Caller[] = [
  ...OWN_HOSTS.map(
    (host): Caller => ({
      says: `host ${host}`,
      headers: { host },
      onLoopback: "enters",
      beyondLoopback: NEEDED,
    }),
  ),
  ...FOREIGN_HOSTS.map(
    (host): Caller => ({
      says: `host ${host}`,
      headers: { host },
      onLoopback: "HOST_NOT_ALLOWED",
      beyondLoopback: NEEDED,
    }),
  ),
  ...["http://127.0.0.1:PORT", "https://127.0.0.1:PORT"].map(
    (origin): Caller => ({
      says: `origin ${origin}`,
      headers: { ...OWN, origin },
      onLoopback: "enters",
      beyondLoopback: NEEDED,
    }),
  ),
  {
    says: "a rebound name with its own origin",
    headers: { host: "rebound.example:PORT", origin: "http://rebound.example:PORT" },
    onLoopback: "HOST_NOT_ALLOWED",
    beyondLoopback: NEEDED,
  },
  ...FOREIGN_ORIGINS.map(
    (origin): Caller => ({
      says: `origin ${origin}`,
      headers: { ...OWN, origin, authorization: "Bearer TOKEN" },
      onLoopback: "ORIGIN_NOT_ALLOWED",
      beyondLoopback: "ORIGIN_NOT_ALLOWED",
    }),
  ),
  ...FOREIGN_SITES.map(
    (one): Caller => ({
      says: `site ${one.site} (${one.mode}, ${one.dest})`,
      headers: { ...OWN, ...sent(one), authorization: "Bearer TOKEN" },
      onLoopback: "ORIGIN_NOT_ALLOWED",
      beyondLoopback: "ORIGIN_NOT_ALLOWED",
    }),
  ),
  ...["same-origin", "none"].map(
    (site): Caller => ({
      says: `site ${site}`,
      headers: { ...OWN, ...sent({ site, mode: "cors", dest: "empty" }) },
      onLoopback: "enters",
      beyondLoopback: NEEDED,
    }),
  ),
  LINK,
  ...TOKENS.map(
    ({ authorization, beyondLoopback }): Caller => ({
      says: `token ${authorization}`,
      headers: { ...OWN, authorization },
      onLoopback: "enters",
      beyondLoopback,
    }),
  ),
  {
    says: "the token under a foreign name",
    headers: { host: "evil.example", authorization: "Bearer TOKEN" },
    onLoopback: "HOST_NOT_ALLOWED",
    beyondLoopback: "enters",
  },
  {
    says: "a world that is there",
    headers: { ...OWN, "x-sim-world": "sandbox" },
    onLoopback: "enters",
    beyondLoopback: NEEDED,
    isNaming: true,
  },
  {
    says: "a world that nobody has, with the token",
    headers: { ...OWN, "x-sim-world": "nobody", authorization: "Bearer TOKEN" },
    onLoopback: "WORLD_NOT_FOUND",
    beyondLoopback: "WORLD_NOT_FOUND",
    isNaming: true,
  },
  {
    says: "a world under a foreign name",
    headers: { host: "evil.example", "x-sim-world": "nobody" },
    onLoopback: "HOST_NOT_ALLOWED",
    beyondLoopback: NEEDED,
    isNaming: true,
  },
];

/** Headers with the values of a simulator in place of the words for them. */
export const filledIn = (
  headers: Caller["headers"],
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      text.replace(/PORT|TOKEN|OTHER|PLATFORM|SECRET/g, (word) => values[word] ?? word),
    ]),
  );
