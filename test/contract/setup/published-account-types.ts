/** One account type (spec/external-accounts.md#account-types). */
export interface PublishedAccountType {
  type: string;
  currencies: string[];
  required: string[];
  optional: string[];
  /** Members required of a person besides a name; "wallet" rows have no beneficiary. */
  personNeeds: string[] | "wallet";
  rails: string[];
  /** Members whose ending decides the outcome; the first one present counts. */
  identifiedBy: string[];
}

/** type | currencies | required | optional | a person needs */
const MEMBERS = `
AED_ACCOUNT | AED | iban | swiftCode | address
BDT_ACCOUNT | BDT | - | accountNumber phoneNumber branchCode swiftCode | -
BRL_ACCOUNT | BRL | pixKey pixKeyType taxId | - | -
BWP_ACCOUNT | BWP | phoneNumber provider | - | -
CAD_ACCOUNT | CAD | bankCode branchCode accountNumber | - | -
COP_ACCOUNT | COP | - | bankName accountNumber bankAccountType phoneNumber | -
DKK_ACCOUNT | DKK | iban | swiftCode | -
EGP_ACCOUNT | EGP | bankName accountNumber | iban swiftCode | address countryOfResidence phoneNumber
EUR_ACCOUNT | EUR | iban | swiftCode | address
GBP_ACCOUNT | GBP | sortCode accountNumber | - | -
GHS_ACCOUNT | GHS | - | accountNumber phoneNumber | -
GTQ_ACCOUNT | GTQ | accountNumber bankAccountType | - | countryOfResidence phoneNumber
HKD_ACCOUNT | HKD | bankName accountNumber swiftCode | - | -
HTG_ACCOUNT | HTG | phoneNumber | - | -
IDR_ACCOUNT | IDR | bankName accountNumber swiftCode phoneNumber | - | -
INR_ACCOUNT | INR | vpa | - | -
JMD_ACCOUNT | JMD | accountNumber branchCode bankAccountType | - | address phoneNumber
KES_ACCOUNT | KES | phoneNumber provider | - | -
MWK_ACCOUNT | MWK | phoneNumber provider | - | -
MXN_ACCOUNT | MXN | clabeNumber | - | -
MYR_ACCOUNT | MYR | bankName accountNumber swiftCode | - | -
NGN_ACCOUNT | NGN | accountNumber bankName | - | -
PHP_ACCOUNT | PHP | bankName accountNumber | - | -
PKR_ACCOUNT | PKR | - | accountNumber bankName phoneNumber iban | -
RWF_ACCOUNT | RWF | phoneNumber provider | - | -
SGD_ACCOUNT | SGD | bankName accountNumber swiftCode | - | -
SLV_ACCOUNT | USD | - | accountNumber bankAccountType bankName phoneNumber | -
THB_ACCOUNT | THB | bankName accountNumber swiftCode | - | -
TZS_ACCOUNT | TZS | phoneNumber provider | - | -
UGX_ACCOUNT | UGX | phoneNumber provider | - | -
USD_ACCOUNT | USD | accountNumber routingNumber | - | -
VND_ACCOUNT | VND | bankName accountNumber swiftCode | - | -
XAF_ACCOUNT | XAF | phoneNumber provider region | - | -
XOF_ACCOUNT | XOF | phoneNumber provider region | - | -
ZAR_ACCOUNT | ZAR | accountNumber bankName | - | -
ZMW_ACCOUNT | ZMW | phoneNumber provider | - | -
SWIFT_ACCOUNT | any | country swiftCode bankName | accountNumber iban | -
SPARK_WALLET | BTC USDB | address | - | wallet
LIGHTNING | BTC | - | invoice bolt12 lightningAddress | wallet
SOLANA_WALLET | USDC USDT | address | - | wallet
BASE_WALLET | USDC | address | - | wallet
POLYGON_WALLET | USDC | address | - | wallet
ETHEREUM_WALLET | USDC | address | - | wallet
TRON_WALLET | USDT | address | - | wallet
`;

/** type | rails | identified by */
const READ_AS = `
AED_ACCOUNT | BANK_TRANSFER | iban
BDT_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | accountNumber phoneNumber
BRL_ACCOUNT | PIX | pixKey
BWP_ACCOUNT | MOBILE_MONEY | phoneNumber
CAD_ACCOUNT | BANK_TRANSFER | accountNumber
COP_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | accountNumber phoneNumber
DKK_ACCOUNT | SEPA SEPA_INSTANT | iban
EGP_ACCOUNT | BANK_TRANSFER | accountNumber
EUR_ACCOUNT | SEPA SEPA_INSTANT | iban
GBP_ACCOUNT | FASTER_PAYMENTS | accountNumber
GHS_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | accountNumber phoneNumber
GTQ_ACCOUNT | BANK_TRANSFER | accountNumber
HKD_ACCOUNT | BANK_TRANSFER | accountNumber
HTG_ACCOUNT | MOBILE_MONEY | phoneNumber
IDR_ACCOUNT | BANK_TRANSFER | accountNumber
INR_ACCOUNT | UPI | vpa
JMD_ACCOUNT | BANK_TRANSFER | accountNumber
KES_ACCOUNT | MOBILE_MONEY | phoneNumber
MWK_ACCOUNT | MOBILE_MONEY | phoneNumber
MXN_ACCOUNT | SPEI | clabeNumber
MYR_ACCOUNT | BANK_TRANSFER | accountNumber
NGN_ACCOUNT | BANK_TRANSFER | accountNumber
PHP_ACCOUNT | BANK_TRANSFER | accountNumber
PKR_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | accountNumber iban phoneNumber
RWF_ACCOUNT | MOBILE_MONEY | phoneNumber
SGD_ACCOUNT | PAYNOW FAST BANK_TRANSFER | accountNumber
SLV_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | accountNumber phoneNumber
THB_ACCOUNT | BANK_TRANSFER | accountNumber
TZS_ACCOUNT | MOBILE_MONEY | phoneNumber
UGX_ACCOUNT | MOBILE_MONEY | phoneNumber
USD_ACCOUNT | ACH WIRE RTP FEDNOW | accountNumber
VND_ACCOUNT | BANK_TRANSFER | accountNumber
XAF_ACCOUNT | MOBILE_MONEY | phoneNumber
XOF_ACCOUNT | MOBILE_MONEY | phoneNumber
ZAR_ACCOUNT | BANK_TRANSFER | accountNumber
ZMW_ACCOUNT | MOBILE_MONEY | phoneNumber
SWIFT_ACCOUNT | SWIFT | accountNumber iban
SPARK_WALLET | - | address
LIGHTNING | - | lightningAddress invoice bolt12
SOLANA_WALLET | - | address
BASE_WALLET | - | address
POLYGON_WALLET | - | address
ETHEREUM_WALLET | - | address
TRON_WALLET | - | address
`;

const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));

const words = (cell = "") => (cell === "-" ? [] : cell.split(" "));

const readAs = new Map(rowsOf(READ_AS).map(([type = "", ...cells]) => [type, cells]));

export const PUBLISHED_ACCOUNT_TYPES: PublishedAccountType[] = rowsOf(MEMBERS).map(
  ([type = "", currencies, required, optional, needs]) => {
    const [rails, identifiedBy] = readAs.get(type) ?? [];
    return {
      type,
      currencies: words(currencies),
      required: words(required),
      optional: words(optional),
      personNeeds: needs === "wallet" ? "wallet" : words(needs),
      rails: words(rails),
      identifiedBy: words(identifiedBy),
    };
  },
);
