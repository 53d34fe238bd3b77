import { createHmac, randomBytes } from "node:crypto";
import { MAGIC_VALUES } from "../contract/core/magic-values.ts";
import { isSecretName, isSecretValue, redactJson } from "../http/redaction.ts";

/**
 * Secrets that stay as they were sent: their checks are made of the value itself, so another one
 * would be refused (spec/capsules.md#secrets).
 */
export const KEPT_SECRETS = [
  "one-time codes",
  "ID tokens",
  "wallet signatures",
  "passkey assertions",
  "sealed texts",
  "documents",
] as const;

/** Names of members that hold those. */
const KEPT_NAME = /otp|signature$|^encrypted|^stamp$|oidctoken|idtoken|^challenge/;

/** Shorter values would also be found inside unrelated words. */
const SHORTEST = 8;

const MAGIC: ReadonlySet<string> = new Set(Object.values(MAGIC_VALUES).map(String));

const LETTERS = {
  digit: "0123456789",
  hex: "abcdef",
  lower: "abcdefghijklmnopqrstuvwxyz",
} as const;

const plainName = (name: string) => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

/** The strings of a JSON value whose names or forms are those of secrets. */
function* secretsIn(value: unknown, name = ""): Generator<[string, string], undefined> {
  if (typeof value === "string") {
    if (isSecretName(name) || isSecretValue(value)) yield [value, name];
  } else if (Array.isArray(value)) for (const one of value) yield* secretsIn(one, name);
  else if (typeof value === "object" && value !== null)
    for (const [member, one] of Object.entries(value))
      yield* secretsIn(one, isSecretName(name) ? name : member);
}

const secretsInJson = (text: string): string[] => {
  try {
    const all = [...secretsIn(JSON.parse(text))];
    return all.filter(([, name]) => !KEPT_NAME.test(plainName(name))).map(([secret]) => secret);
  } catch {
    // No check reads what is no JSON.
    return redactJson(text).secrets;
  }
};

const everySecretIn = (text: string): string[] => {
  try {
    return [...secretsIn(JSON.parse(text))].map(([secret]) => secret);
  } catch {
    return [];
  }
};

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * Replaces secrets by others of the same length and alphabet, equal ones by equal ones, so that
 * comparing them has the same verdict as before.
 */
export class Masks {
  private readonly key = randomBytes(32);
  private readonly stand = new Map<string, string>();
  /** Secrets that the simulator made: they follow from the seed. */
  private readonly made = new Set<string>();

  /** Learns what the simulator itself made. */
  learn(reply: string) {
    for (const secret of everySecretIn(reply)) if (!this.stand.has(secret)) this.made.add(secret);
  }

  /** Takes the secrets of an address. */
  takeUrl({ pathname, searchParams }: URL) {
    for (const [name, value] of searchParams)
      if (isSecretName(name) || isSecretValue(value)) this.note(value);
    const segments = pathname.split("/").map(decoded);
    for (const [at, segment] of segments.entries()) {
      const before = segments[at - 1] ?? "";
      if (before === "device-codes" || isSecretName(before) || isSecretValue(segment))
        this.note(segment);
    }
  }

  /** Takes the secrets of a body, before anything is made of it. */
  takeJson(text: string) {
    for (const secret of secretsInJson(text)) this.note(secret);
  }

  /** Has a secret replaced from now on. */
  note(secret: string) {
    if (secret.length < SHORTEST || MAGIC.has(secret) || this.made.has(secret)) return;
    if (!this.stand.has(secret)) this.stand.set(secret, this.placeholder(secret));
  }

  /** A text without the secrets that are known. */
  hidden(text: string): string {
    let shown = text;
    for (const [secret, other] of this.stand)
      for (const form of new Set([secret, escaped(secret), encodeURIComponent(secret)]))
        if (shown.includes(form)) shown = shown.replaceAll(form, () => other);
    return shown;
  }

  private placeholder(secret: string) {
    const bytes = createHmac("sha512", this.key).update(secret).digest();
    const isHex = /^[0-9a-f]+$/i.test(secret);
    return secret.replace(/[A-Za-z0-9]/g, (letter, position: number) => {
      const small = isHex ? LETTERS.hex : LETTERS.lower;
      const letters = /[0-9]/.test(letter) ? LETTERS.digit : small;
      const other = letters[(bytes[position % bytes.length] as number) % letters.length] as string;
      return /[A-Z]/.test(letter) ? other.toUpperCase() : other;
    });
  }
}
