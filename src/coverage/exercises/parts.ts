import { advance, byAgent, call, receiver, type Steps } from "./steps.ts";

const NOBODY_ID = "00000000-0000-7000-8000-000000000000";

/** Id of a kind that no record has. */
export const unknownId = (kind: string) => `${kind}:${NOBODY_ID}`;

export const CUSTOMER = call("customer = POST /customers", {
  customerType: "INDIVIDUAL",
  fullName: "Ada Byron",
});

export const USD = call(
  "usd = GET /customers/internal-accounts?customerId=${customer.id}&currency=USD",
);

export const FUND = call("POST /sandbox/internal-accounts/${usd.data.0.id}/fund", {
  amount: 1_000_000,
});

/** A customer with money. */
export const PAYER: Steps = [CUSTOMER, USD, FUND];

/** A Mexican account whose number has an ending. */
export const mxn = (suffix: string) => ({
  currency: "MXN",
  accountInfo: {
    accountType: "MXN_ACCOUNT",
    clabeNumber: `646180110400000${suffix}`,
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
  },
});

const usdAccount = (suffix: string) => ({
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: `000123${suffix}`,
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
  },
});

export const payee = (suffix: string) =>
  call("payee = POST /customers/external-accounts", {
    customerId: "${customer.id}",
    ...mxn(suffix),
  });

/** An American bank account, which takes transfers both ways. */
export const bank = (suffix: string) =>
  call("bank = POST /customers/external-accounts", {
    customerId: "${customer.id}",
    ...usdAccount(suffix),
  });

export const BRL_ACCOUNT = {
  currency: "BRL",
  accountInfo: {
    accountType: "BRL_ACCOUNT",
    pixKey: "lucie.999@mail.example",
    pixKeyType: "EMAIL",
    taxId: "39053344705",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Lucie Moreau" },
  },
};

const toPayee = { destinationType: "ACCOUNT", accountId: "${payee.id}" };
const SENDING = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };

export const quoteBody = {
  source: { sourceType: "ACCOUNT", accountId: "${usd.data.0.id}" },
  destination: toPayee,
  ...SENDING,
};

/** A quote that pulls its money from the bank. */
export const pullBody = {
  ...quoteBody,
  source: { sourceType: "ACCOUNT", accountId: "${bank.id}" },
};

/** A quote whose money is to be sent to it. */
export const fundingBody = {
  ...quoteBody,
  source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: "${customer.id}" },
};

export const QUOTE = call("quote = POST /quotes", quoteBody);
export const EXECUTE = call("POST /quotes/${quote.id}/execute");

/** A payer, a payee with an ending, and a quote. */
export const quoted = (suffix = "999"): Steps => [...PAYER, payee(suffix), QUOTE];

export const transferBody = (from: string, to: string, amount = 25_000) => ({
  source: { accountId: from },
  destination: { accountId: to },
  amount,
});
export const OUT = transferBody("${usd.data.0.id}", "${bank.id}");
export const IN = transferBody("${bank.id}", "${usd.data.0.id}");

const PERMISSIONS = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
];

export const policy = {
  permissions: PERMISSIONS,
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
};

const ASKING = { ...policy, approvalThresholds: { currency: "USD", amount: 20_000 } };

export const agentWith = (ownPolicy: object = policy): Steps => [
  call("agent = POST /agents", {
    name: "Invoice bot",
    customerId: "${customer.id}",
    policy: ownPolicy,
  }),
  call("redeemed = POST /agents/device-codes/${agent.deviceCode.code}/redeem"),
];

/** A funded customer whose agent is connected, with a bank account and a payee. */
export const AGENT: Steps = [...PAYER, bank("999"), payee("999"), ...agentWith()];

export const AGENT_QUOTE = byAgent("quote = POST /agents/me/quotes", quoteBody);

/** Has the agent's next action decided by a row, whatever the approvals mode is. */
export const decidedBy = (row: string) =>
  call("POST /_sim/outcomes/next", { rule: `agentApproval.${row}`, for: "${agent.agent.id}" });

/** An action of an agent that is decided by a row; it waits for a person unless another is given. */
export const waitingAction = (row = "ask"): Steps => [
  ...PAYER,
  bank("999"),
  ...agentWith(ASKING),
  decidedBy(row),
  byAgent("action = POST /agents/me/transfer-out", OUT),
];

export const WAITING_ACTION: Steps = waitingAction();

export const ACTION_PATH = "/agents/${agent.agent.id}/actions/${action.id}";

/** Key of the program that signs in for a wallet's owner. */
export const CLIENT_KEY = "${owner.publicKey}";

export const EMAIL = "ada-${random}@example.com";

/** A customer with a wallet. */
export const WALLET: Steps = [
  // Without an address: with --wallet-credential email it would have a credential already.
  call("customer = POST /customers", { customerType: "INDIVIDUAL" }),
  call("wallet = GET /customers/internal-accounts?customerId=${customer.id}&type=EMBEDDED_WALLET"),
];

export const walletBody = { accountId: "${wallet.data.0.id}" };

export const EMAIL_CREDENTIAL = call("email = POST /auth/credentials", {
  ...walletBody,
  type: "EMAIL_OTP",
  email: EMAIL,
});

export const passkeyBody = {
  ...walletBody,
  type: "PASSKEY",
  nickname: "Work laptop",
  challenge: "${passkey.challenge}",
  attestation: "${passkey.attestation}",
};

/** Makes the passkey that `passkeyBody` registers. */
export const PASSKEY: Steps[number] = {
  name: "passkey",
  createPasskey: { challenge: "${random}" },
};

/** Makes the token that `oauthBody` has. */
export const ID_TOKEN = call("idToken = POST /_sim/oidc/token", { nonce: "${owner.nonce}" });

export const oauthBody = { ...walletBody, type: "OAUTH", oidcToken: "${idToken.token}" };

/** Signs in with a code that the world accepts. */
export const SIGN_IN: Steps = [
  call(`mailed = GET /_sim/inbox?to=${EMAIL}`),
  call("session = POST /auth/credentials/${email.id}/verify", {
    type: "EMAIL_OTP",
    otp: "${owner.code}",
    clientPublicKey: CLIENT_KEY,
  }),
];

/** A wallet whose owner can sign in by email. */
export const OWNED_WALLET: Steps = [...WALLET, EMAIL_CREDENTIAL];

/** A wallet whose owner has a session. */
export const SIGNED_IN: Steps = [...OWNED_WALLET, ...SIGN_IN];

export const cardBody = {
  cardholderId: "${customer.id}",
  form: "VIRTUAL",
  fundingSources: ["${usd.data.0.id}"],
};

/** An active card with money behind it. */
export const CARD: Steps = [...PAYER, call("card = POST /cards", cardBody)];

/** A card whose holder has a wallet and is signed in, as a signed change of it needs. */
export const OWNED_CARD: Steps = [...SIGNED_IN, USD, FUND, call("card = POST /cards", cardBody)];

const CARD_PATH = "/sandbox/cards/${card.id}/simulate";

export const purchase = (descriptor = "NORTH PIER BOOKS", expect?: number) =>
  call(
    `purchase = POST ${CARD_PATH}/authorization`,
    { amount: 2_000, currency: { code: "USD" }, merchant: { descriptor } },
    expect === undefined ? {} : { expect },
  );

/** The newest purchase, in any revision: not all of them answer a simulation with it. */
const MADE = call("made = GET /_sim/records?kind=CardTransaction&limit=1");

const ON_MADE = { cardTransactionId: "${made.data.0.id}" };

export const clearedBy = (amount: number): Steps => [
  MADE,
  call(`POST ${CARD_PATH}/clearing`, { ...ON_MADE, amount }),
];
export const CLEAR: Steps = clearedBy(2_000);
export const RETURN = call(`POST ${CARD_PATH}/return`, { ...ON_MADE, amount: 2_000 });

const merchant = { descriptor: "NORTH PIER BOOKS" };

/** A simulation that begins a transaction. */
export const cardSimulation = (what: string) =>
  call(
    `POST ${CARD_PATH}/${what}`,
    what === "balance_inquiry"
      ? { merchant }
      : { amount: 100, currency: { code: "USD" }, merchant },
  );

export const ADVICE: Steps = [
  MADE,
  call(`POST ${CARD_PATH}/authorization_advice`, { ...ON_MADE, amount: 1_500 }),
];
export const REVERSAL = call(`POST ${CARD_PATH}/return_reversal`, ON_MADE);

export const MOLINO = {
  legalName: "Molino SA",
  taxId: "12-3456789",
  incorporatedOn: "2011-04-30",
  country: "MX",
};

/** A business; the ending of its number decides its verification. */
export const business = (registrationNumber: string) =>
  call("business = POST /customers", {
    customerType: "BUSINESS",
    businessInfo: { ...MOLINO, registrationNumber },
  });

const ownerInfo = (lastName: string) => ({
  firstName: "Noor",
  lastName,
  birthDate: "1984-02-20",
  nationality: "AE",
  address: { line1: "Marina Walk 4", city: "Dubai", postalCode: "00000", country: "AE" },
  idType: "NON_US_TAX_ID",
  identifier: "AE-55-901",
  countryOfIssuance: "AE",
  email: "noor@shop.example",
  phoneNumber: "+971501234567",
});

export const ownerBody = (lastName = "Haddad") => ({
  customerId: "${business.id}",
  roles: ["UBO"],
  ownershipPercentage: 60,
  personalInfo: ownerInfo(lastName),
});

export const owner = (lastName = "Haddad") =>
  call("owner = POST /beneficial-owners", ownerBody(lastName));

/** Sends a document of the customer; the ending of its name decides what becomes of it. */
export const document = (fileName: string, expect?: number) =>
  call(
    "document = POST /documents",
    { documentHolder: "${customer.id}", documentType: "PASSPORT", country: "MX" },
    {
      file: { name: fileName, text: "%PDF-" },
      ...(expect !== undefined && { expect }),
    },
  );

export const bulkFile = (text: string) =>
  call("job = POST /customers/bulk/csv", undefined, {
    file: { name: "customers.csv", text },
  });

/** A customer whom others can pay at an address. */
export const RECIPIENT = call("customer = POST /customers", {
  customerType: "INDIVIDUAL",
  fullName: "Nadia Prado",
});

const ASKED = "INCOMING_PAYMENT.PENDING";

export const received = (sender = "$success.usd", more: object = {}) =>
  call("payment = POST /sandbox/uma/receive", {
    senderUmaAddress: `${sender}@\${sandbox.umaDomain}`,
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: 8_800,
    customerId: "${customer.id}",
    ...more,
  });

/** An incoming payment whose approval request is answered once, and what follows. */
export const approvalAnswered = (answer: number | "hang", steps: Steps = []): Steps => [
  ...receiver({ [ASKED]: [answer] }),
  RECIPIENT,
  ...steps,
  received(),
  advance("1s"),
];
