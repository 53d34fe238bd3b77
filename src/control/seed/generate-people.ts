import type { ExternalAccountInput } from "../../contract/accounts/external-accounts.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Chance } from "./generate-chance.ts";

const FIRST_NAMES = [
  "Ada",
  "Amara",
  "Ana",
  "Ben",
  "Carla",
  "Chidi",
  "Dana",
  "Elif",
  "Emma",
  "Farid",
  "Grace",
  "Hugo",
  "Ines",
  "Jonas",
  "Kaito",
  "Lena",
  "Lucie",
  "Maria",
  "Mateo",
  "Nadia",
  "Oliver",
  "Priya",
  "Rosa",
  "Samir",
  "Tomas",
  "Uma",
  "Vera",
  "Wen",
  "Yusuf",
  "Zoe",
] as const;

const LAST_NAMES = [
  "Adeyemi",
  "Andersen",
  "Bauer",
  "Brandt",
  "Byron",
  "Castro",
  "Chen",
  "Costa",
  "Dubois",
  "Flores",
  "Garcia",
  "Grant",
  "Haddad",
  "Ito",
  "Jensen",
  "Kaya",
  "Kowalski",
  "Lang",
  "Martin",
  "Moreau",
  "Nguyen",
  "Okafor",
  "Patel",
  "Reyes",
  "Ribeiro",
  "Rossi",
  "Santos",
  "Silva",
  "Weber",
  "Young",
] as const;

/** A full name. */
export const nameOf = (chance: Chance) => `${chance.of(FIRST_NAMES)} ${chance.of(LAST_NAMES)}`;

interface Payee {
  name: string;
  /** Number of the payer, which keeps identifiers apart. */
  serial: number;
  /** Last three digits of the identifier, which decide how payments end. */
  suffix: string;
}

const digits = (value: number, length: number) =>
  String(value % 10 ** length).padStart(length, "0");

type AccountOf = (payee: Payee) => ExternalAccountInput["accountInfo"];

/** Kinds of account that generated payments go to. */
const ACCOUNTS: readonly { currency: CurrencyCode; accountInfo: AccountOf }[] = [
  {
    currency: "MXN",
    accountInfo: ({ name, serial, suffix }) => ({
      accountType: "MXN_ACCOUNT",
      clabeNumber: `646180${digits(serial, 9)}${suffix}`,
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: name },
    }),
  },
  {
    currency: "GBP",
    accountInfo: ({ name, serial, suffix }) => ({
      accountType: "GBP_ACCOUNT",
      sortCode: digits(200_000 + Math.floor(serial / 100_000), 6),
      accountNumber: `${digits(serial, 5)}${suffix}`,
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: name },
    }),
  },
  {
    currency: "PHP",
    accountInfo: ({ name, serial, suffix }) => ({
      accountType: "PHP_ACCOUNT",
      bankName: "Banco de Manila",
      accountNumber: `${digits(serial, 9)}${suffix}`,
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: name },
    }),
  },
  {
    currency: "NGN",
    accountInfo: ({ name, serial, suffix }) => ({
      accountType: "NGN_ACCOUNT",
      accountNumber: `${digits(serial, 7)}${suffix}`,
      bankName: "Lagos Bank",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: name },
    }),
  },
];

/** The account of someone whom a customer pays. */
export const payeeOf = (
  customerId: string,
  { serial, suffix }: Pick<Payee, "serial" | "suffix">,
  chance: Chance,
): ExternalAccountInput & { customerId: string } => {
  const { currency, accountInfo } = chance.of(ACCOUNTS);
  return {
    customerId,
    currency,
    accountInfo: accountInfo({ name: nameOf(chance), serial, suffix }),
  };
};
