import { createHash } from "node:crypto";
import { bech32 } from "@scure/base";
import { signRecoverable } from "./secp256k1.ts";

/** Terms of a Lightning invoice (BOLT 11), which the asking node's key signs. */
export interface InvoiceTerms {
  /** `lnbc` for the network with real money, `lnbcrt` for the test network. */
  prefix: "lnbc" | "lnbcrt";
  amountSatoshi: number;
  /** Epoch seconds; values beyond 35 bits become the nearest that fits. */
  createdAtSeconds: number;
  expirySeconds: number;
  description: string;
  /** 32 bytes in hex each. */
  paymentHashHex: string;
  paymentSecretHex: string;
}

/** Tags of the fields, as words of five bits. */
const TAGS = { hash: 1, features: 5, expiry: 6, description: 13, secret: 16 } as const;
/** var_onion_optin and payment_secret, both compulsory (BOLT 9). */
const FEATURES = (1 << 8) | (1 << 14);
const TIMESTAMP_WORDS = 7;
const MAX_TIMESTAMP = 2 ** 35 - 1;

/** Satoshi in one unit of each multiplier, largest first; nano is a tenth of a satoshi. */
const MULTIPLIERS = [
  ["", 100_000_000n],
  ["m", 100_000n],
  ["u", 100n],
] as const;

/** The shortest form of an amount. */
const amountText = (satoshi: bigint) => {
  const multiplier = MULTIPLIERS.find(([, unit]) => satoshi % unit === 0n);
  return multiplier ? `${satoshi / multiplier[1]}${multiplier[0]}` : `${satoshi * 10n}n`;
};

/** A number in words of five bits, as few as possible unless a length is given. */
const numberWords = (value: number, length?: number): number[] => {
  const words: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 32)) words.unshift(rest % 32);
  return [...Array(Math.max(0, (length ?? 1) - words.length)).fill(0), ...words];
};

const field = (tag: number, words: readonly number[]) => [
  tag,
  ...numberWords(words.length, 2),
  ...words,
];

const hexField = (tag: number, hex: string) => field(tag, bech32.toWords(Buffer.from(hex, "hex")));

/** Words of five bits as bytes, padded with zeros to a whole byte (BOLT 11). */
const bytesOf = (words: readonly number[]) => {
  const byteCount = Math.ceil((words.length * 5) / 8);
  const padding = Math.ceil((byteCount * 8) / 5) - words.length;
  return bech32.fromWords([...words, ...Array<number>(padding).fill(0)]);
};

const dataWords = (terms: InvoiceTerms) => {
  const timestamp = Math.min(Math.max(terms.createdAtSeconds, 0), MAX_TIMESTAMP);
  return [
    ...numberWords(timestamp, TIMESTAMP_WORDS),
    ...hexField(TAGS.secret, terms.paymentSecretHex),
    ...hexField(TAGS.hash, terms.paymentHashHex),
    ...field(TAGS.description, bech32.toWords(Buffer.from(terms.description))),
    ...field(TAGS.expiry, numberWords(terms.expirySeconds)),
    ...field(TAGS.features, numberWords(FEATURES)),
  ];
};

/**
 * An invoice that wallets accept. The same terms and key give the same text.
 * @param terms.description at most 639 bytes
 */
export const lightningInvoice = (terms: InvoiceTerms, nodeKeyHex: string): string => {
  const prefix = terms.prefix + amountText(BigInt(terms.amountSatoshi));
  const words = dataWords(terms);
  const digest = createHash("sha256").update(prefix).update(bytesOf(words)).digest();
  const signature = bech32.toWords(signRecoverable(digest, nodeKeyHex));
  // An invoice is longer than the 90 characters of other texts in bech32.
  return bech32.encode(prefix, [...words, ...signature], false);
};
