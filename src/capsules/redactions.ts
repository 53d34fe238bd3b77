import { createHmac, randomBytes } from "node:crypto";
import { passwordsIn } from "../contract/core/endpoint-address.ts";
import { MAGIC_VALUES } from "../contract/core/magic-values.ts";
import {
  looksLikeProduction,
  productionPrefixOf,
} from "../contract/core/production-credentials.ts";
import { isSecretName, isSecretValue, redactJson } from "../http/log/redaction.ts";
import { isProofName } from "./proof-names.ts";

/** Shorter values would also be found inside unrelated words. */
export const SHORTEST_SECRET = 8;

const MAGIC: ReadonlySet<string> = new Set(Object.values(MAGIC_VALUES).map(String));

const LETTERS = {
  digit: "0123456789",
  hex: "abcdef",
  lower: "abcdefghijklmnopqrstuvwxyz",
} as const;

/** Beginnings by which a secret is known as one, which stay; and each other letter and digit. */
const REPLACED = /(sk_sim_|agt_|service-agent-|-----(?:BEGIN|END) [A-Z ]+-----|\beyJ)|[A-Za-z0-9]/g;

/** A token signed by an issuer, which no seed gives away. */
const SIGNED = /^eyJ/;

/** The strings of a JSON value whose names or forms are those of secrets. */
function* secretsIn(value: unknown, name = ""): Generator<[string, string], undefined> {
  if (typeof value === "string") {
    if (isSecretName(name) || isSecretValue(value)) yield [value, name];
  } else if (Array.isArray(value)) for (const one of value) yield* secretsIn(one, name);
  else if (typeof value === "object" && value !== null)
    for (const [member, one] of Object.entries(value))
      yield* secretsIn(one, isSecretName(name) ? name : member);
}

const secretsInJson = (text: string): readonly string[] => {
  try {
    const all = [...secretsIn(JSON.parse(text))];
    return all.filter(([, name]) => !isProofName(name)).map(([secret]) => secret);
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

const inAscii = (text: string) =>
  text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Ways to write a text in JSON, in JSON within JSON, and in an address. */
const WAYS: readonly ((text: string) => string)[] = [
  (text) => text,
  escaped,
  (text) => escaped(escaped(text)),
  (text) => escaped(text).replaceAll("/", "\\/"),
  (text) => inAscii(escaped(text)),
  encodeURIComponent,
];

/** A secret in all ways to write it, each with its placeholder in the same way. */
const waysOf = (secret: string, other: string): ReadonlyMap<string, string> =>
  new Map(WAYS.map((write) => [write(secret), write(other)]));

/**
 * Replaces secrets by others of the same length and alphabet, equal ones by equal ones, so that
 * comparing them has the same verdict as before.
 */
export class Redactions {
  private readonly key = randomBytes(32);
  private readonly productionPrefixes: () => readonly string[] | undefined;
  private readonly stand = new Map<string, ReadonlyMap<string, string>>();
  /** Secrets that the simulator made: they follow from the seed. */
  private readonly made = new Set<string>();

  /** @param productionPrefixes further beginnings of production's credentials, which stay */
  constructor(productionPrefixes: () => readonly string[] | undefined = () => undefined) {
    this.productionPrefixes = productionPrefixes;
  }

  /** Whether a credential is one of production, which is no user name to show. */
  isProduction(text: string) {
    return looksLikeProduction(text, this.productionPrefixes());
  }

  /** Learns what the simulator itself made. */
  learn(reply: string) {
    for (const secret of everySecretIn(reply))
      if (!this.stand.has(secret) && !SIGNED.test(secret)) this.made.add(secret);
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

  /** Takes the secrets of a body that are no proofs, before anything is made of it. */
  takeJson(text: string) {
    this.takePasswords(text);
    for (const secret of secretsInJson(text)) this.note(secret);
  }

  /** Takes the passwords of addresses, each with the user name that leads to it. */
  private takePasswords(text: string) {
    for (const { user, password } of passwordsIn(text))
      if (!this.stand.has(`${user}:${password}@`))
        this.replace(`${user}:${password}@`, `${user}:${this.placeholder(password)}@`);
  }

  /** Has a secret replaced from now on. */
  note(secret: string) {
    if (secret.length < SHORTEST_SECRET || MAGIC.has(secret) || this.made.has(secret)) return;
    if (!this.stand.has(secret)) this.stand.set(secret, waysOf(secret, this.placeholder(secret)));
  }

  /** Has a text replaced by another one from now on. */
  replace(secret: string, other: string) {
    this.stand.set(secret, waysOf(secret, other));
  }

  /** A text without the secrets that are known. */
  hidden(text: string): string {
    let shown = text;
    for (const ways of this.stand.values())
      for (const [form, other] of ways)
        if (shown.includes(form)) shown = shown.replaceAll(form, () => other);
    return shown;
  }

  /** The text that stands for a secret; a magic value stands for itself. */
  placeholder(secret: string): string {
    if (MAGIC.has(secret)) return secret;
    const [first = secret, ...others] = [0, 1, 2, 3].map((turn) => this.drawn(secret, turn));
    const isOther = (text: string) => text !== secret && !MAGIC.has(text);
    return isOther(first) ? first : (others.find(isOther) ?? first);
  }

  /** Bytes that stand for those of a file: as many, without a line break. */
  bytesFor(bytes: Uint8Array): Buffer {
    return Buffer.alloc(bytes.length, this.digest(bytes).toString("hex"));
  }

  private digest(secret: string | Uint8Array) {
    return createHmac("sha512", this.key).update(secret).digest();
  }

  private drawn(secret: string, turn: number) {
    const bytes = this.digest(`${turn} ${secret}`);
    const isHex = /^[0-9a-f]+$/i.test(secret);
    const { length } = productionPrefixOf(secret, this.productionPrefixes()) ?? "";
    const drawn = secret
      .slice(length)
      .replace(REPLACED, (letter, kept: string | undefined, position: number) => {
        if (kept !== undefined) return kept;
        const small = isHex ? LETTERS.hex : LETTERS.lower;
        const letters = /[0-9]/.test(letter) ? LETTERS.digit : small;
        const other = letters[
          (bytes[position % bytes.length] as number) % letters.length
        ] as string;
        return /[A-Z]/.test(letter) ? other.toUpperCase() : other;
      });
    return secret.slice(0, length) + drawn;
  }
}
