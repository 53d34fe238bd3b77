/** One variant of `accountOrWalletInfo` (spec/payment-instructions.md#variants). */
export interface PublishedInstruction {
  type: string;
  /** Members besides `accountType`; `paymentRails` and `reference` among them. */
  required: string[];
  optional: string[];
  rails: string[];
  funds: string[];
  /**
   * Account or quote that shows the variant, with its currency and region; empty for a shape
   * without use.
   */
  producedBy: { on: "account" | "quote"; currency: string; region?: string } | undefined;
}

const BANK = "paymentRails reference";

/** type | required | optional */
const MEMBERS = `
AED_ACCOUNT | iban ${BANK} | swiftCode
ARS_ACCOUNT | accountNumber | -
BASE_WALLET | assetType address | -
BDT_ACCOUNT | ${BANK} | accountNumber phoneNumber branchCode swiftCode
BRL_ACCOUNT | qrCode | -
BWP_ACCOUNT | phoneNumber provider ${BANK} | -
CAD_ACCOUNT | bankCode branchCode accountNumber ${BANK} | -
COP_ACCOUNT | paymentUrl | -
DKK_ACCOUNT | iban ${BANK} | swiftCode
EGP_ACCOUNT | bankName accountNumber ${BANK} | iban swiftCode
EMBEDDED_WALLET | payloadToSign | -
ETHEREUM_WALLET | assetType address | -
EUR_ACCOUNT | iban ${BANK} | swiftCode
GBP_ACCOUNT | sortCode accountNumber ${BANK} | -
GHS_ACCOUNT | ${BANK} | accountNumber phoneNumber
GTQ_ACCOUNT | accountNumber bankAccountType ${BANK} | -
HKD_ACCOUNT | bankName accountNumber swiftCode ${BANK} | -
HTG_ACCOUNT | phoneNumber ${BANK} | -
IDR_ACCOUNT | bankName accountNumber swiftCode phoneNumber ${BANK} | -
INR_ACCOUNT | vpa paymentRails | -
JMD_ACCOUNT | accountNumber branchCode bankAccountType ${BANK} | -
KES_ACCOUNT | phoneNumber provider ${BANK} | -
LIGHTNING | invoice | -
MWK_ACCOUNT | phoneNumber provider ${BANK} | -
MXN_ACCOUNT | clabeNumber ${BANK} | -
MYR_ACCOUNT | bankName accountNumber swiftCode ${BANK} | -
NGN_ACCOUNT | accountNumber bankName ${BANK} | -
PHP_ACCOUNT | bankName accountNumber ${BANK} | -
PKR_ACCOUNT | ${BANK} | accountNumber bankName phoneNumber iban
POLYGON_WALLET | assetType address | -
RWF_ACCOUNT | phoneNumber provider ${BANK} | -
SGD_ACCOUNT | bankName accountNumber swiftCode ${BANK} | -
SLV_ACCOUNT | ${BANK} | accountNumber bankAccountType bankName phoneNumber
SOLANA_WALLET | assetType address | -
SPARK_WALLET | assetType address | invoice
THB_ACCOUNT | bankName accountNumber swiftCode ${BANK} | -
TRON_WALLET | assetType address | -
TZS_ACCOUNT | phoneNumber provider ${BANK} | -
UGX_ACCOUNT | phoneNumber provider ${BANK} | -
USD_ACCOUNT | accountNumber routingNumber ${BANK} | bankName
VND_ACCOUNT | bankName accountNumber swiftCode ${BANK} | -
XAF_ACCOUNT | phoneNumber provider region ${BANK} | -
XOF_ACCOUNT | phoneNumber provider region ${BANK} | -
ZAR_ACCOUNT | accountNumber bankName ${BANK} | -
ZMW_ACCOUNT | phoneNumber provider ${BANK} | -
`;

/** type | rails of an account | currencies | produced by */
const GIVEN = `
AED_ACCOUNT | BANK_TRANSFER | AED | account AED
ARS_ACCOUNT | - | ARS | account ARS
BASE_WALLET | - | USDC | account USDC
BDT_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | BDT | account BDT
BRL_ACCOUNT | - | BRL | account BRL
BWP_ACCOUNT | MOBILE_MONEY | BWP | account BWP
CAD_ACCOUNT | BANK_TRANSFER | CAD | account CAD
COP_ACCOUNT | - | COP | account COP
DKK_ACCOUNT | SEPA SEPA_INSTANT | DKK | account DKK
EGP_ACCOUNT | BANK_TRANSFER | EGP | account EGP
EMBEDDED_WALLET | - | - | shape only
ETHEREUM_WALLET | - | USDC | account USDC
EUR_ACCOUNT | SEPA SEPA_INSTANT | EUR | account EUR
GBP_ACCOUNT | FASTER_PAYMENTS | GBP | account GBP
GHS_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | GHS | account GHS
GTQ_ACCOUNT | BANK_TRANSFER | GTQ | account GTQ
HKD_ACCOUNT | BANK_TRANSFER | HKD | account HKD
HTG_ACCOUNT | MOBILE_MONEY | HTG | account HTG
IDR_ACCOUNT | BANK_TRANSFER | IDR | account IDR
INR_ACCOUNT | UPI | INR | account INR
JMD_ACCOUNT | BANK_TRANSFER | JMD | account JMD
KES_ACCOUNT | MOBILE_MONEY | KES | account KES
LIGHTNING | - | BTC | quote BTC
MWK_ACCOUNT | MOBILE_MONEY | MWK | account MWK
MXN_ACCOUNT | SPEI | MXN | account MXN
MYR_ACCOUNT | BANK_TRANSFER | MYR | account MYR
NGN_ACCOUNT | BANK_TRANSFER | NGN | account NGN
PHP_ACCOUNT | BANK_TRANSFER | PHP | account PHP
PKR_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | PKR | account PKR
POLYGON_WALLET | - | USDC | account USDC
RWF_ACCOUNT | MOBILE_MONEY | RWF | account RWF
SGD_ACCOUNT | PAYNOW FAST BANK_TRANSFER | SGD | account SGD
SLV_ACCOUNT | BANK_TRANSFER MOBILE_MONEY | USD | account USD SV
SOLANA_WALLET | - | USDC USDT | account USDC
SPARK_WALLET | - | BTC USDB | quote BTC
THB_ACCOUNT | BANK_TRANSFER | THB | account THB
TRON_WALLET | - | USDT | account USDT
TZS_ACCOUNT | MOBILE_MONEY | TZS | account TZS
UGX_ACCOUNT | MOBILE_MONEY | UGX | account UGX
USD_ACCOUNT | ACH WIRE RTP FEDNOW | USD | account USD
VND_ACCOUNT | BANK_TRANSFER | VND | account VND
XAF_ACCOUNT | MOBILE_MONEY | XAF | account XAF
XOF_ACCOUNT | MOBILE_MONEY | XOF | account XOF
ZAR_ACCOUNT | BANK_TRANSFER | ZAR | account ZAR
ZMW_ACCOUNT | MOBILE_MONEY | ZMW | account ZMW
`;

const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));

const words = (cell = "") => (cell === "-" ? [] : cell.split(" "));

const producer = (cell = ""): PublishedInstruction["producedBy"] => {
  if (cell === "shape only") return undefined;
  const [on, currency = "", region] = cell.split(" ");
  return { on: on as "account" | "quote", currency, ...(region !== undefined && { region }) };
};

const given = new Map(rowsOf(GIVEN).map(([type = "", ...cells]) => [type, cells]));

export const PUBLISHED_INSTRUCTIONS: PublishedInstruction[] = rowsOf(MEMBERS).map(
  ([type = "", required, optional]) => {
    const [rails, funds, producedBy] = given.get(type) ?? [];
    return {
      type,
      required: words(required),
      optional: words(optional),
      rails: words(rails),
      funds: words(funds),
      producedBy: producer(producedBy),
    };
  },
);
