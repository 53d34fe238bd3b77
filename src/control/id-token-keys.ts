import { readFile } from "node:fs/promises";
import { type PublicJwk, publicJwkOf } from "../crypto/id-tokens.ts";
import type { IdTokenKeys } from "../runtime/ports.ts";

const FETCH_TIMEOUT_MS = 5000;

const isUrl = (source: string) => /^https?:/.test(source);

const readJwks = async (source: string): Promise<PublicJwk[]> => {
  const text = isUrl(source)
    ? await (await fetch(source, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })).text()
    : await readFile(source, "utf8");
  const { keys } = JSON.parse(text);
  return Array.isArray(keys) ? keys : [];
};

/**
 * The keys that ID tokens may be signed with: the simulator's own issuer's, and those of a JWKS
 * file or URL that the start names. Nobody else is asked, least of all a public issuer.
 */
export const idTokenKeys = (options: {
  keyPem: string;
  issuer(): string;
  /** A JWKS: a file's path, or an http URL that is fetched anew each time. */
  source?: string;
}): IdTokenKeys => ({
  issuer: options.issuer,
  keys: async () => {
    const own = publicJwkOf(options.keyPem);
    if (options.source === undefined) return [own];
    return [own, ...(await readJwks(options.source).catch(() => []))];
  },
});
