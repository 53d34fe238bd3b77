import { createHash } from "node:crypto";
import { redactJson } from "../http/log/redaction.ts";
import type { Caller, CapsuleReply } from "./capsule-lines.ts";
import type { Redactions } from "./redactions.ts";

/** The credentials of a simulator, which a capsule names by what they prove. */
export interface Credentials {
  clientSecret: string;
  controlToken: string;
}

const basicOf = (header: string): [user: string, secret: string] | undefined => {
  const [, encoded] = /^basic ([A-Za-z0-9+/=]+)$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const at = text.indexOf(":");
  return at < 0 ? undefined : [text.slice(0, at), text.slice(at + 1)];
};

/** The caller of an Authorization header with the credentials of this simulator. */
export const callerOf = (header: string, own: Credentials): Caller | undefined => {
  if (header === `Bearer ${own.controlToken}`) return { control: true };
  const [user, secret] = basicOf(header) ?? [];
  return user !== undefined && secret === own.clientSecret ? { basic: user } : undefined;
};

/** The Authorization header of a caller, with the credentials of the simulator that replays. */
export const headerOf = (caller: Caller, own: Credentials): string =>
  "control" in caller
    ? `Bearer ${own.controlToken}`
    : `Basic ${Buffer.from(`${caller.basic}:${own.clientSecret}`).toString("base64")}`;

/** The header with its secret replaced; a refused one is a secret whatever it looks like. */
export const hiddenHeader = (
  header: string,
  { redactions, isRefused }: { redactions: Redactions; isRefused: boolean },
): string => {
  const [user, secret] = basicOf(header) ?? [];
  if (user !== undefined && secret !== undefined) {
    if (isRefused) redactions.note(secret);
    if (redactions.isProduction(user)) redactions.note(user);
    const shown = redactions.isProduction(user) ? redactions.hidden(user) : user;
    return `Basic ${Buffer.from(`${shown}:${redactions.hidden(secret)}`).toString("base64")}`;
  }
  // Without a scheme all of it is the secret.
  const [, scheme = "", text = header] = /^([^ ]* )(.*)$/s.exec(header) ?? [];
  if (isRefused) redactions.note(text.trim());
  return scheme + redactions.hidden(text);
};

/** The report of an advance without its attempts, which hold wall time. */
const withoutAttempts = (text: string) => {
  if (!text.includes('"webhookCount"')) return text;
  const { webhooks: _attempts, webhookCount: _count, ...report } = JSON.parse(text);
  return JSON.stringify(report);
};

/** A token up to its signature, for which ECDSA draws another number each time. */
const SIGNED = /(?<![\w-])(eyJ[\w-]+\.eyJ[\w-]+)\.[\w-]+/g;

/** A reply without what differs each time: spans of wall time, and signatures of tokens. */
const repeatable = (text: string) =>
  withoutAttempts(text)
    .replace(/"tookMs":\d+/g, '"tookMs":0')
    .replace(SIGNED, "$1");

/** The text of a reply, as a capsule keeps it: without secrets, and a digest of all of it. */
export const keptText = (
  text: string,
  { withSecrets }: { withSecrets: boolean },
): Pick<CapsuleReply, "body" | "sha"> => {
  const whole = repeatable(text);
  return {
    body: withSecrets ? whole : redactJson(whole).text,
    sha: createHash("sha256").update(whole).digest("hex"),
  };
};
