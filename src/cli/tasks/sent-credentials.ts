import type { IncomingMessage } from "node:http";

/** Names of headers and parameters that carry a credential. */
const CARRIER =
  /^(?!idempotency-key$).*(auth|cookie|key|token|secret|password|credential|session)/i;
/** Words of a header that name how its credential is sent. */
const SCHEME = /^(basic|bearer|digest|negotiate|signature|token|apikey|hoba|mutual|vapid|dpop)$/i;

/** The user name and the password of HTTP Basic. */
const pairIn = (text: string) => {
  const [user = "", ...password] = Buffer.from(text, "base64").toString("utf8").split(":");
  return [user, password.join(":")];
};

/** The credentials of a header, of one scheme or several: passwords, tokens and parameters. */
const credentialsIn = (header: string): string[] => {
  const words = header.split(/[\s,;]+/).map((word) => word.replace(/^"|"$/g, ""));
  return words.flatMap((word, at) => {
    if (SCHEME.test(word)) return [];
    const value = word.replace(/^[\w-]+="?/, "");
    return /^basic$/i.test(words[at - 1] ?? "") ? pairIn(word) : [word, value];
  });
};

const isThere = (text: string) => text !== "";

/**
 * Every credential that a request carries: of each header of the kind, however often it is sent, of
 * its query, and of an address with a user. A server may read another one than the first.
 */
export const sentCredentials = ({ rawHeaders, url = "/" }: IncomingMessage): string[] => {
  const credentials: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    if (CARRIER.test(name)) credentials.push(...credentialsIn(value));
  }
  const [, query = ""] = url.split(/\?(.*)/s);
  for (const [name, value] of new URLSearchParams(query))
    if (CARRIER.test(name)) credentials.push(value);
  return credentials.filter(isThere);
};
