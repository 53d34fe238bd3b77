import type { InstructionTypeName } from "../../contract/accounts/payment-instructions.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import { ibanOf, withCrc16, withWeightedCheck } from "../core/check-digits.ts";
import { BASE32, HEX } from "../core/draft.ts";
import type { HashText } from "../core/hash-text.ts";

/** The purpose of an instruction. */
export interface Use {
  on: "account" | "quote";
  asset: CurrencyCode;
  /** Region of the customer, if there is one. */
  region: string | undefined;
  /** Invoice of the quote, if it has one. */
  invoice: string | undefined;
}

/** The value of one member; `undefined` leaves the member out. */
type Value = (draws: HashText, use: Use) => string | undefined;
type Values = Record<string, Value>;

const DIGITS = "0123456789";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The bech32 alphabet in an order that starts with 0, as {@link HashText.fill} requires. */
const BECH32 = "0qpzry9x8gf2tvdws3jn54khce6mua7l";

const always = (text: string) => () => text;
const digits = (template: string) => (draws: HashText) => draws.fill(template, DIGITS);
const iban = (country: string, template: string) => (draws: HashText) =>
  ibanOf(country, draws.fill(template, DIGITS));

const bankName = always("Service Sandbox Bank");
const bankAddress = always("1 Sandbox Street, Springfield, IL 62701");
const bankAccountType = always("CHECKING");
const branchCode = digits("##*##");
/** The eighth character 0 marks a bank identifier that is for tests (ISO 9362). */
const bic = (country: string) => always(`SVSB${country}X0`);

const swiftBank = (country: string, accountNumber: string): Values => ({
  bankName,
  accountNumber: digits(accountNumber),
  swiftCode: bic(country),
});

const mobileMoney = (phoneNumber: string, provider: string): Values => ({
  phoneNumber: digits(phoneNumber),
  provider: always(provider),
});

/**
 * Values of a mobile-money account in one of several countries.
 * @param phones by region; the first is the default
 */
const regionalMoney = (phones: Record<string, string>, provider: string): Values => {
  const first = Object.keys(phones)[0] as string;
  const regionFor = ({ region = first }: Use) => (Object.hasOwn(phones, region) ? region : first);
  return {
    phoneNumber: (draws, use) => draws.fill(phones[regionFor(use)] as string, DIGITS),
    provider: always(provider),
    region: (_draws, use) => regionFor(use),
  };
};

const CLABE_WEIGHTS = [3, 7, 1];
const ROUTING_WEIGHTS = [3, 7, 1];

const clabe = (draws: HashText) =>
  withWeightedCheck(draws.fill("646180#########*#", DIGITS), CLABE_WEIGHTS);

const routingNumber = (draws: HashText) =>
  withWeightedCheck(draws.fill("0910##*#", DIGITS), ROUTING_WEIGHTS);

/** A CVU: provider and account blocks, each with its check digit. */
const cvu = (draws: HashText) =>
  withWeightedCheck("0000099", [7, 1, 3, 9]) +
  withWeightedCheck(draws.fill("###########*#", DIGITS), [3, 9, 7, 1]);

/** One object of an EMV QR code: id, length, value. */
const emv = (id: string, value: string) => `${id}${String(value.length).padStart(2, "0")}${value}`;

/** A PIX payload (BR Code, EMV QRCPS-MPM): a random key, reais, no amount, a transaction id. */
const pixPayload = (draws: HashText) => {
  const key = draws.fill("########-####-4###-8###-#########*##", HEX);
  const body = [
    emv("00", "01"),
    emv("26", emv("00", "br.gov.bcb.pix") + emv("01", key)),
    emv("52", "0000"),
    emv("53", "986"),
    emv("58", "BR"),
    emv("59", "Service Sandbox Bank"),
    emv("60", "SAO PAULO"),
    emv("62", emv("05", draws.fill("##########", BASE32))),
  ];
  return withCrc16(`${body.join("")}6304`);
};

const paymentUrl = (draws: HashText) =>
  `https://checkout.sandbox.test/cop/${draws.fill("#############*##", HEX)}`;

const ANY_50 = "#".repeat(50);

/**
 * The invoice of a quote. Quotes of older versions have none and keep their text, which no node
 * accepts.
 */
const invoice: Value = (draws, use) => use.invoice ?? draws.fill(`lnbc1p${ANY_50}*##`, BECH32);

/** 32 bytes in base 58: with these first characters, 44 of them never overflow. */
const solanaAddress = (draws: HashText) =>
  draws.fill("#", "23456789ABCDEFG") + draws.fill("#".repeat(43), BASE58);

const asset = (_draws: HashText, use: Use) => use.asset;
const evm: Values = {
  assetType: asset,
  address: (draws) => draws.fill(`0x${"#".repeat(37)}*##`, HEX),
};

/**
 * Values of the members of an instruction, by variant
 * (spec/payment-instructions.md#account-values). In templates `#` is any digit and `*` a digit from
 * 2 up. Lengths, prefixes and check digits are those of the country.
 */
export const FUNDING_VALUES: Record<
  Exclude<InstructionTypeName, "EMBEDDED_WALLET" | "SWIFT_ACCOUNT">,
  Values
> = {
  AED_ACCOUNT: { iban: iban("AE", "################*##"), swiftCode: bic("AE") },
  ARS_ACCOUNT: { accountNumber: cvu },
  BDT_ACCOUNT: {
    accountNumber: digits("15########*##"),
    phoneNumber: digits("+88017#####*##"),
    branchCode,
    swiftCode: bic("BD"),
    bankName,
  },
  BRL_ACCOUNT: { qrCode: pixPayload },
  BWP_ACCOUNT: mobileMoney("+267*####*##", "ORANGE"),
  CAD_ACCOUNT: { bankCode: digits("*##"), branchCode, accountNumber: digits("######*##") },
  CNY_ACCOUNT: { accountNumber: digits("6222########*##"), bankName },
  COP_ACCOUNT: { paymentUrl, bankName },
  DKK_ACCOUNT: { iban: iban("DK", "###########*##"), swiftCode: bic("DK") },
  EGP_ACCOUNT: {
    bankName,
    accountNumber: digits("#########*##"),
    iban: iban("EG", "######################*##"),
    swiftCode: bic("EG"),
    phoneNumber: digits("+2010#####*##"),
  },
  EUR_ACCOUNT: { iban: iban("DE", "###############*##"), swiftCode: bic("DE") },
  GBP_ACCOUNT: { sortCode: digits("04#*##"), accountNumber: digits("#####*##") },
  GHS_ACCOUNT: {
    accountNumber: digits("##########*##"),
    phoneNumber: digits("+2332#####*##"),
    bankName,
  },
  GTQ_ACCOUNT: { accountNumber: digits("#######*##"), bankAccountType, bankName },
  HKD_ACCOUNT: swiftBank("HK", "#########*##"),
  HTG_ACCOUNT: { phoneNumber: digits("+509*####*##") },
  IDR_ACCOUNT: { ...swiftBank("ID", "#######*##"), phoneNumber: digits("+62812####*##") },
  INR_ACCOUNT: { vpa: digits("fund.#######*##@sandbox") },
  JMD_ACCOUNT: { accountNumber: digits("######*##"), branchCode, bankAccountType, bankName },
  KES_ACCOUNT: mobileMoney("+2547#####*##", "M-PESA"),
  MWK_ACCOUNT: mobileMoney("+2659#####*##", "AIRTEL"),
  MXN_ACCOUNT: { clabeNumber: clabe },
  MYR_ACCOUNT: swiftBank("MY", "#########*##"),
  NGN_ACCOUNT: { accountNumber: digits("#######*##"), bankName },
  PHP_ACCOUNT: { bankName, accountNumber: digits("#########*##") },
  PKR_ACCOUNT: {
    accountNumber: digits("###########*##"),
    bankName,
    phoneNumber: digits("+9230#####*##"),
    iban: iban("PK", "SVSB#############*##"),
  },
  RWF_ACCOUNT: mobileMoney("+2507#####*##", "MTN"),
  SGD_ACCOUNT: swiftBank("SG", "#######*##"),
  SLV_ACCOUNT: {
    accountNumber: digits("#######*##"),
    bankAccountType,
    bankName,
    phoneNumber: digits("+5037####*##"),
  },
  THB_ACCOUNT: swiftBank("TH", "#######*##"),
  TZS_ACCOUNT: mobileMoney("+2557#####*##", "VODACOM"),
  UGX_ACCOUNT: mobileMoney("+2567#####*##", "MTN"),
  USD_ACCOUNT: { accountNumber: digits("#######*##"), routingNumber, bankName, bankAddress },
  VND_ACCOUNT: swiftBank("VN", "#########*##"),
  XAF_ACCOUNT: regionalMoney({ CM: "+2376#####*##", CG: "+24206####*##" }, "MTN"),
  XOF_ACCOUNT: regionalMoney(
    { BJ: "+229*####*##", CI: "+22507#####*##", SN: "+2217#####*##", TG: "+228*####*##" },
    "ORANGE",
  ),
  ZAR_ACCOUNT: { accountNumber: digits("62######*##"), bankName },
  ZMW_ACCOUNT: mobileMoney("+2609#####*##", "MTN"),
  SPARK_WALLET: {
    assetType: asset,
    address: (draws) => draws.fill(`spark1pgss${ANY_50}*##`, BECH32),
    invoice: (draws, use) =>
      use.on === "quote" && use.asset === "BTC" ? invoice(draws, use) : undefined,
  },
  LIGHTNING: { invoice },
  SOLANA_WALLET: { assetType: asset, address: solanaAddress },
  BASE_WALLET: evm,
  POLYGON_WALLET: evm,
  ETHEREUM_WALLET: evm,
  TRON_WALLET: { assetType: asset, address: (draws) => draws.fill(`T${"#".repeat(33)}`, BASE58) },
  PLASMA_WALLET: evm,
  BITCOIN_L1: {
    address: (draws) => draws.fill(`bcrt1q${"#".repeat(38)}`, BECH32),
    network: always("BITCOIN"),
  },
};
