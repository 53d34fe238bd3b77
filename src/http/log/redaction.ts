import {
  endpointAddress,
  passwordsIn,
  shownAddress,
  withoutPasswords,
} from "../../contract/core/endpoint-address.ts";
import { Recent } from "../../domain/core/recent.ts";

/** Member names of secrets, in lower case and without separators. */
const SECRET_NAME =
  /secret|password|passcode|passphrase|^encrypted|(token|otp|authorization|signature)$|(private|signing|api|session|device|access|otp|onetime|verification|security|signin|login)(key|code)$|^(cvv|cvc|pin|stamp)$/;
/**
 * Values that are secrets by their form, whatever their name. A token is found from its dot
 * backward: searched from each possible start, a text of many starts would take quadratic time.
 */
const SECRET_VALUE =
  /sk_(?:sim|live)_[A-Za-z0-9]+|agt_[0-9a-f]+|service-agent-[a-z0-9]{4}-[a-z0-9]{4}|-----BEGIN [A-Z ]*PRIVATE KEY-----|\.(?<=eyJ[A-Za-z0-9_-]{8,}\.)eyJ/i;
/** A sign-in code under the plain name `code`, which otherwise holds words and invitations. */
const SIGN_IN_CODE = /^\s*"?[0-9]{6}"?\s*$/;
/** Shorter values would also be found inside unrelated words. */
const SHORTEST_ECHO = 4;

const isLongEnough = ({ length }: string) => length >= SHORTEST_ECHO;

/** Text that a log has in place of a secret. */
export const REDACTED = "[redacted]";

const STAND_IN = JSON.stringify(REDACTED);

/** Strings, whole or cut off; then punctuation; then numbers and literals with their spaces. */
export const JSON_TOKENS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^"{}[\],:]+/g;

/** Whether a member of that name holds a secret. */
export const isSecretName = (token: string) =>
  SECRET_NAME.test(
    /[^a-z0-9]/.test(token) ? token.replace(/[^A-Za-z0-9]/g, "").toLowerCase() : token,
  );

/** Whether a value is a secret by its form. */
export const isSecretValue = (text: string) => SECRET_VALUE.test(text);

const HARMLESS: ReadonlySet<string> = new Set(["", "true", "false", "null"]);

const isHarmless = (token: string) => HARMLESS.has(token.trim());

const parsed = (token: string): unknown => {
  try {
    return JSON.parse(token);
  } catch {
    // The text was cut off within it.
    return undefined;
  }
};

/** A string of JSON without the passwords of addresses in it, if it has any. */
const bareAddress = (token: string): RedactionResult | undefined => {
  if (!token.includes("@") && !token.includes("\\u")) return undefined;
  const value = parsed(token);
  const text = typeof value === "string" ? value : token;
  const shown = shownAddress(endpointAddress(text));
  const bare = shown === text ? withoutPasswords(text) : shown;
  if (bare === text) return undefined;
  const secrets = passwordsIn(text).map(({ password }) => password);
  return { text: typeof value === "string" ? JSON.stringify(bare) : bare, secrets };
};

/** JSON without its secrets, and the secrets. */
export interface RedactionResult {
  text: string;
  secrets: readonly string[];
}

/** Scans JSON that may be cut off at its end. */
class Redactor {
  private readonly out: string[] = [];
  private readonly secrets: string[] = [];
  /** The newest string, which is a name if a colon follows. */
  private last = "";
  /** True when the next value belongs to a secret's name. */
  private isSecretNext = false;
  /** True when the next value belongs to the name `code`. */
  private isCodeNext = false;
  /** Depth inside a hidden object or list. */
  private hiddenDepth = 0;

  take(token: string) {
    if (this.hiddenDepth > 0) {
      if (token === "{" || token === "[") this.hiddenDepth += 1;
      if (token === "}" || token === "]") this.hiddenDepth -= 1;
    } else if (token === ":") {
      this.isSecretNext = isSecretName(this.last);
      this.isCodeNext = /^"code"$/i.test(this.last);
      this.out.push(token);
    } else if (this.isSecretNext && !isHarmless(token)) this.hide(token);
    else if (this.isCodeNext && SIGN_IN_CODE.test(token)) this.hide(token);
    else this.show(token);
  }

  result(): RedactionResult {
    return { text: this.out.join(""), secrets: this.secrets };
  }

  private show(token: string) {
    if (token.startsWith('"')) this.last = token;
    if (token.trim() !== "") {
      this.isSecretNext = false;
      this.isCodeNext = false;
    }
    const address = bareAddress(token);
    if (address) this.secrets.push(...address.secrets.filter(isLongEnough));
    this.out.push(SECRET_VALUE.test(token) ? STAND_IN : (address?.text ?? token));
  }

  private hide(token: string) {
    this.isSecretNext = false;
    this.isCodeNext = false;
    if (token === "{" || token === "[") this.hiddenDepth = 1;
    const value = token.replace(/^"|"$/g, "").trim();
    if (this.hiddenDepth === 0 && isLongEnough(value)) this.secrets.push(value);
    this.out.push(STAND_IN);
  }
}

/** Removes every value whose name or form is that of a secret. The JSON may be cut off anywhere. */
export const redactJson = (text: string): RedactionResult => {
  const redactor = new Redactor();
  for (const [token] of text.matchAll(JSON_TOKENS)) redactor.take(token);
  return redactor.result();
};

/** Text that looks like a key or a token; ids have a colon or the form of a UUID. */
const isOpaque = (text: string) =>
  /^[\w+=.~-]{32,}$/.test(text) && /\d/.test(text) && !UUID_AT_END.test(text);
const UUID_AT_END = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Further path segments that a secret follows, beside those with a secret's name. */
const BEFORE_SECRET = /^device-codes$/;

const decoded = (segment: string) => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const isSecret = (text: string, name: string) =>
  text !== "" &&
  (BEFORE_SECRET.test(name) || isSecretName(name) || SECRET_VALUE.test(text) || isOpaque(text));

/** Longer paths are not kept. */
const LONGEST_KEPT = 256;
const bareLast = new Recent<string, RedactionResult>(256, () => new Map());

/** Removes path segments that are secrets by their form or place. */
export const redactPath = (path: string): RedactionResult =>
  path.length > LONGEST_KEPT ? redactedPath(path) : bareLast.of(path, redactedPath);

const redactedPath = (path: string): RedactionResult => {
  const secrets: string[] = [];
  const segments = path.split("/");
  const shown = segments.map((segment, at) => {
    const text = decoded(segment);
    if (!isSecret(text, decoded(segments[at - 1] ?? ""))) return segment;
    secrets.push(segment, text);
    return REDACTED;
  });
  return { text: shown.join("/"), secrets };
};

/** A query without its secrets, as its sender would write it. */
export const redactQuery = (query: string): string => {
  const secrets = new Set(secretsInQuery(new URLSearchParams(query)));
  const shown = (text: string) => (secrets.has(text) ? REDACTED : withoutPasswords(text));
  const pairs = [...new URLSearchParams(query)];
  const bare = pairs.map(([name, value]): [string, string] => [shown(name), shown(value)]);
  return new URLSearchParams(bare).toString();
};

/** Secrets in a query, which a refusal may repeat. */
export const secretsInQuery = (query: URLSearchParams): string[] =>
  [...query].flatMap(([name, value]) => [
    ...(isSecret(value, name) ? [value] : []),
    ...(isSecret(name, "") ? [name] : []),
  ]);

/** A text without secrets that are known from elsewhere. */
export const withoutSecrets = (text: string, secrets: readonly string[]) =>
  secrets.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
