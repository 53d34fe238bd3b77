import { resolve } from "node:path";
import { fetchDirectly, hasProxies } from "../client/direct-fetch.ts";
import type { CryptoMode } from "../contract/core/crypto-modes.ts";
import { defined } from "../contract/core/defined.ts";
import { type PublicJwk, publicJwkOf } from "../crypto/id-tokens.ts";
import { userJson } from "../http/body/user-json.ts";
import { hostTime } from "../machine/host-time.ts";
import { readUserText, readUserTextLater, userTextOf } from "../machine/user-text.ts";
import type { IdTokenKeys } from "../runtime/ports.ts";

const FETCH_TIMEOUT_MS = 5000;
/** Longest JWKS that is read from a URL. */
const MAX_JWKS_BYTES = 1024 * 1024;

/** A JWKS that the start names. */
export interface JwksSource {
  /** The issuer whose tokens its keys sign; any issuer when left out. */
  issuer?: string;
  /** A file's path, or an http URL that is fetched again each time. */
  at: string;
  /** Whole path of a file: the process may change its folder. */
  path?: string;
}

const isUrl = (text: string) => /^https?:/.test(text);

/** An issuer is a URL without query, or a name; a path on the left of `=` belongs to a file. */
const isIssuer = (text: string) =>
  text !== "" && !/[?#]/.test(text) && (isUrl(text) || !/[\\/]|^\./.test(text));

/** Reads `<issuer>=<file or url>`, or a file or URL alone. */
export const jwksSourceOf = (text: string): JwksSource => {
  const end = text.indexOf("=");
  const issuer = text.slice(0, Math.max(end, 0));
  const at = isIssuer(issuer) ? text.slice(end + 1) : text;
  return {
    ...(isIssuer(issuer) && { issuer }),
    at,
    ...(!isUrl(at) && { path: resolve(at) }),
  };
};

/** The reason why a JWKS cannot be used. */
class UnreadJwks extends Error {}

const isJwk = (key: unknown): key is PublicJwk =>
  typeof key === "object" && key !== null && typeof (key as PublicJwk).kty === "string";

/** The keys of a JWKS (RFC 7517, section 5). */
const keysIn = (text: string): PublicJwk[] => {
  let keys: unknown;
  try {
    keys = (userJson(text) as { keys?: unknown } | null)?.keys;
  } catch {
    throw new UnreadJwks("text that is not JSON");
  }
  if (!Array.isArray(keys)) throw new UnreadJwks("no list of keys");
  if (!keys.every(isJwk)) throw new UnreadJwks("a key without kty");
  return keys;
};

const foundOf = (error: unknown): string => {
  if (error instanceof UnreadJwks) return error.message;
  const { cause, code, name } = error as Error & { code?: string };
  if (name === "TimeoutError" || code === "ABORT_ERR")
    return `no answer within ${FETCH_TIMEOUT_MS / 1000}s`;
  return (cause as { code?: string } | undefined)?.code ?? code ?? String(error);
};

/** The text of an answer, which is cut off where it becomes too long. */
const textUpTo = async (maxBytes: number, { body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new UnreadJwks(`more than ${maxBytes} bytes`);
  }
  return userTextOf(Buffer.concat(chunks));
};

const readJwks = async ({ at, path }: JwksSource): Promise<PublicJwk[]> => {
  if (path !== undefined) return keysIn(await readUserTextLater(path));
  const signal = hostTime.timeoutSignal(FETCH_TIMEOUT_MS);
  const request = new Request(at, { signal, redirect: "manual" });
  const response = await fetchDirectly(request, hasProxies());
  if (!response.ok) throw new UnreadJwks(`status ${response.status}`);
  return keysIn(await textUpTo(MAX_JWKS_BYTES, response));
};

/**
 * Finds the problem of a start with its JWKS, if there is one. A file is read now, a URL only
 * when a token needs it.
 */
export const jwksProblem = (
  sources: readonly JwksSource[],
  mode: CryptoMode,
): string | undefined => {
  for (const { issuer, at, path } of sources) {
    if (issuer === undefined && mode === "strict")
      return `Expected --oidc-jwks as <issuer>=<file or url> with --crypto strict but found ${at}`;
    if (path === undefined) continue;
    try {
      keysIn(readUserText(path));
    } catch (error) {
      return `Expected --oidc-jwks to name a JWKS but found ${foundOf(error)} at ${at}`;
    }
  }
  return undefined;
};

/** Sources whose keys count for an issuer. */
const countingFor = (sources: readonly JwksSource[], issuer: string, isStrict: boolean) =>
  sources.filter((one) => one.issuer === issuer || (one.issuer === undefined && !isStrict));

/**
 * The keys that ID tokens may be signed with: the simulator's own issuer's, and those of the JWKS
 * that the start names. Other issuers are never asked, least of all public ones.
 */
export const idTokenKeys = (options: {
  keyPem: string;
  issuer(): string;
  sources: readonly JwksSource[];
}): IdTokenKeys => ({
  issuer: options.issuer,
  isConfigured: (issuer) => options.sources.some((one) => one.issuer === issuer),
  keysFor: async (issuer, isStrict) => {
    const own = !isStrict || issuer === options.issuer() ? [publicJwkOf(options.keyPem)] : [];
    const sources = countingFor(options.sources, issuer, isStrict);
    if (own.length + sources.length === 0)
      return { keys: [], problem: `no --oidc-jwks is given for ${issuer}` };
    const problems: string[] = [];
    const read = sources.map((source) =>
      readJwks(source).catch((error: unknown) => {
        problems.push(`the JWKS at ${source.at} cannot be read: ${foundOf(error)}`);
        return [];
      }),
    );
    const keys = [...own, ...(await Promise.all(read)).flat()];
    const [problem] = problems;
    return { keys, ...defined({ problem }) };
  },
});
