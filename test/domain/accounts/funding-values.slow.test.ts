import { describe, expect, test } from "vitest";
import type { ExternalAccountType } from "../../../src/contract/accounts/account-type-rows.ts";
import { EXTERNAL_ACCOUNT_TYPES } from "../../../src/contract/accounts/external-account-types.ts";
import {
  type InstructionInfo,
  PaymentInstructions,
} from "../../../src/contract/accounts/payment-instructions.ts";
import type { FieldRule } from "../../../src/contract/core/account-fields.ts";
import { CURRENCY_CODES, type CurrencyCode } from "../../../src/contract/money/currencies.ts";
import {
  accountInstructions,
  quoteInstructions,
} from "../../../src/domain/accounts/payment-instructions.ts";
import { HashText } from "../../../src/domain/core/hash-text.ts";

const idOf = (at: number) =>
  `InternalAccount:01a1f878-0552-7000-8000-${String(at).padStart(12, "0")}`;
const IDS = (count: number) => Array.from({ length: count }, (_, at) => idOf(at));

const ofAccount = (id: string, currency: CurrencyCode) =>
  accountInstructions({ id, currency, type: "INTERNAL_FIAT" }, "SV");

const ofQuote = (id: string, currency: CurrencyCode) =>
  quoteInstructions({ id, currency, region: "SV", reference: "REF-9XKD27QAB", isPlatform: true });

const infos = (items: PaymentInstructions[]) => items.map((item) => item.accountOrWalletInfo);

/** All instructions of some ids, as accounts and as quotes, by currency. */
const everything = (ids: string[]): [CurrencyCode, PaymentInstructions[]][] =>
  CURRENCY_CODES.map((code) => [
    code,
    ids.flatMap((id) => [...ofAccount(id, code), ...ofQuote(id, code)]),
  ]);

const SAMPLE = everything(IDS(60));
const SAMPLE_INFOS = SAMPLE.flatMap(([, items]) => infos(items));

const ruleProblem = (value: unknown, { pattern, minLength, maxLength, values }: FieldRule) => {
  if (typeof value !== "string") return "no text";
  if (pattern && !pattern.test(value)) return String(pattern);
  if (minLength !== undefined && value.length < minLength) return `shorter than ${minLength}`;
  if (maxLength !== undefined && value.length > maxLength) return `longer than ${maxLength}`;
  return values && !values.includes(value) ? values.join() : undefined;
};

const rowOf = ({ accountType }: InstructionInfo): ExternalAccountType | undefined =>
  (EXTERNAL_ACCOUNT_TYPES as Partial<Record<string, ExternalAccountType>>)[accountType];

/**
 * Members that the external account of that name has too; other variants have members of their own.
 */
const sharedMembers = (info: InstructionInfo) =>
  Object.entries(rowOf(info)?.fields ?? {}).filter(([member]) => member in info);

describe("the values of an instruction", () => {
  test.each(SAMPLE)("in %s have the published shape", (_code, items) => {
    expect(items.length).toBeGreaterThanOrEqual(120);
    const problems = items.flatMap((item) => {
      const { error } = PaymentInstructions.safeParse(item);
      return error ? [error.message] : [];
    });
    expect(problems).toEqual([]);
  });

  test("are each valid for an external account", () => {
    const seen = new Set<string>();
    const problems: string[] = [];
    for (const info of SAMPLE_INFOS)
      for (const [member, rule] of sharedMembers(info)) {
        const problem = ruleProblem(info[member], rule);
        if (problem) problems.push(`${info.accountType} ${member} ${info[member]}: ${problem}`);
        seen.add(`${info.accountType} ${member}`);
      }
    expect(problems).toEqual([]);
    const types = new Set([...seen].map((pair) => pair.split(" ")[0]));
    // BRL_ACCOUNT and COP_ACCOUNT share no member, and there is no external ARS_ACCOUNT.
    expect({ members: seen.size, types: types.size }).toEqual({ members: 91, types: 41 });
  });

  test("include the identifier of the external account type, if there is one", () => {
    const isIdentified = (info: InstructionInfo) =>
      rowOf(info)?.identifiedBy.some((member) => member in info) === true;
    const others = SAMPLE_INFOS.filter((info) => !isIdentified(info));
    expect(new Set(others.map(({ accountType }) => accountType))).toEqual(
      new Set(["BRL_ACCOUNT", "COP_ACCOUNT", "ARS_ACCOUNT"]),
    );
  });
});

/** Endings below 110, as all that mean something for an account are (spec/sandbox.md#magic-values). */
const MEANINGFUL = /(0\d\d|10\d)$/;

const IDENTIFIERS = [
  "accountNumber",
  "address",
  "clabeNumber",
  "iban",
  "invoice",
  "paymentUrl",
  "phoneNumber",
  "vpa",
];

const identifiersOf = (info: InstructionInfo) => [
  ...IDENTIFIERS.flatMap((member) => (member in info ? [String(info[member])] : [])),
  ...(String(info.qrCode ?? "").match(/(?<=0136)[0-9a-f-]{36}/) ?? []),
];

test("no identifier ends in digits that mean something to the sandbox", () => {
  const all = SAMPLE_INFOS.flatMap(identifiersOf).map((text) => text.replace(/@.*/, ""));
  expect(all.length).toBeGreaterThan(6_000);
  expect(all.filter((text) => MEANINGFUL.test(text))).toEqual([]);
});

test("every instruction has an identifier that was checked", () => {
  expect(SAMPLE_INFOS.filter((info) => identifiersOf(info).length === 0)).toEqual([]);
});

const valuesOf = (member: string) =>
  SAMPLE_INFOS.flatMap((info) => (member in info ? [String(info[member])] : []));

const weighted = (digits: string, weights: number[]) =>
  [...digits].reduce((sum, digit, at) => sum + Number(digit) * (weights[at] ?? 0), 0) % 10;

const cycle = (weights: number[], length: number) =>
  Array.from({ length }, (_, at) => weights[at % weights.length] ?? 0);

describe("check digits are right:", () => {
  test("an IBAN, moved by four and read as a number, is 1 modulo 97", () => {
    const remainder = (iban: string) => {
      const moved = iban.slice(4) + iban.slice(0, 4);
      return BigInt(moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n;
    };
    const ibans = valuesOf("iban");
    expect(new Set(ibans.map((iban) => `${iban.slice(0, 2)} ${iban.length}`))).toEqual(
      new Set(["AE 23", "DE 22", "DK 18", "EG 29", "PK 24"]),
    );
    expect(ibans.filter((iban) => remainder(iban) !== 1n)).toEqual([]);
  });

  test("a routing number weighs a multiple of ten", () => {
    const wrong = valuesOf("routingNumber").filter(
      (number) => weighted(number, [3, 7, 1, 3, 7, 1, 3, 7, 1]) !== 0,
    );
    expect(wrong).toEqual([]);
  });

  test("so does a CLABE", () => {
    const weights = [...cycle([3, 7, 1], 17), 1];
    expect(valuesOf("clabeNumber").filter((clabe) => weighted(clabe, weights) !== 0)).toEqual([]);
  });

  test("so does each block of a CVU", () => {
    const numbers = infos(IDS(200).flatMap((id) => ofAccount(id, "ARS"))).map((info) =>
      String(info.accountNumber),
    );
    const isRight = (cvu: string) =>
      weighted(cvu.slice(0, 8), [7, 1, 3, 9, 7, 1, 3, 1]) === 0 &&
      weighted(cvu.slice(8), [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3, 1]) === 0;
    expect(numbers.filter((cvu) => !isRight(cvu))).toEqual([]);
  });
});

/** The objects of an EMV QR code by id; a wrong length is an error. */
const emvObjects = (text: string): Record<string, string> => {
  const objects: Record<string, string> = {};
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    const value = text.slice(at + 4, at + 4 + length);
    if (value.length !== length)
      throw new Error(`Expected ${length} characters at ${at} of ${text}`);
    objects[text.slice(at, at + 2)] = value;
    at += 4 + length;
  }
  return objects;
};

test("a PIX payload is the objects of a BR Code, with a key of its own", () => {
  for (const qrCode of valuesOf("qrCode")) {
    const objects = emvObjects(qrCode);
    expect(objects).toEqual({
      "00": "01",
      "26": expect.any(String),
      "52": "0000",
      "53": "986",
      "58": "BR",
      "59": "Service Sandbox Bank",
      "60": "SAO PAULO",
      "62": expect.stringMatching(/^0510[A-Z2-7]{10}$/),
      "63": expect.stringMatching(/^[0-9A-F]{4}$/),
    });
    expect(emvObjects(objects["26"] ?? "")).toEqual({
      "00": "br.gov.bcb.pix",
      "01": expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    });
  }
});

test("a Solana address is 32 bytes in base 58", () => {
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const numberOf = (address: string) =>
    [...address].reduce((sum, character) => sum * 58n + BigInt(alphabet.indexOf(character)), 0n);
  const addresses = SAMPLE_INFOS.filter(({ accountType }) => accountType === "SOLANA_WALLET");
  const [least, most] = [2n ** 248n, 2n ** 256n];
  for (const { address } of addresses) {
    expect(numberOf(String(address))).toBeGreaterThanOrEqual(least);
    expect(numberOf(String(address))).toBeLessThan(most);
  }
});

test("a payment page is on a host that can only be a test's", () => {
  for (const url of valuesOf("paymentUrl")) expect(new URL(url).host).toMatch(/\.test$/);
});

describe("of a thousand owners", () => {
  test.each(CURRENCY_CODES)("no two are paid the same way in %s", (currency) => {
    const ids = IDS(1000);
    const seen = new Map<string, Set<string>>();
    for (const id of ids)
      for (const info of infos(ofAccount(id, currency))) {
        const { reference: _reference, ...members } = info;
        const known = seen.get(info.accountType) ?? new Set();
        seen.set(info.accountType, known.add(JSON.stringify(members)));
      }
    for (const [accountType, known] of seen) expect(known.size, accountType).toBe(1000);
  });

  test("no two have the same reference, and it has the published form", () => {
    const references = IDS(1000).map((id) => infos(ofAccount(id, "EUR"))[0]?.reference as string);
    expect(new Set(references).size).toBe(1000);
    for (const reference of references) expect(reference).toMatch(/^FUND-[A-Z2-7]{6}$/);
  });

  test("each gets the same again, however many came in between", () => {
    const texts = () => IDS(1100).map((id) => JSON.stringify(ofAccount(id, "USD")));
    expect(texts()).toEqual(texts());
  });
});

test("nothing but the id decides: a quote's values change with it, and with nothing else", () => {
  const quote = { id: idOf(7), currency: "USD", reference: "REF-AAAAAAAAA" } as const;
  const numberOf = (change: object) =>
    quoteInstructions({ ...quote, isPlatform: true, ...change })[0]?.accountOrWalletInfo
      .accountNumber;
  const known = numberOf({});
  expect(numberOf({ reference: "REF-BBBBBBBBB" })).toBe(known);
  expect(numberOf({ isPlatform: false })).toBe(known);
  expect(numberOf({ region: "SV" })).toBe(known);
  expect(numberOf({ id: idOf(8) })).not.toBe(known);
});

test("no more is drawn than there is, rather than something of no value", () => {
  const draws = new HashText(Buffer.from([1, 2]));
  expect(draws.fill("#-#", "0123456789")).toBe("1-2");
  expect(() => draws.fill("#", "0123456789")).toThrow(/at most as many characters/);
});
