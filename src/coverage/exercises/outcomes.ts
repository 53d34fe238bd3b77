import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import type { RuleTable } from "../../domain/outcomes/rule-names.ts";
import { LATER_OUTCOMES } from "./later-outcomes.ts";
import { operationExercise } from "./operations.ts";
import {
  approvalAnswered,
  bank,
  business,
  CARD,
  CLIENT_KEY,
  CUSTOMER,
  cardBody,
  document,
  EXECUTE,
  fundingBody,
  ID_TOKEN,
  IN,
  mxn,
  OUT,
  OWNED_WALLET,
  oauthBody,
  owner,
  PASSKEY,
  PAYER,
  passkeyBody,
  payee,
  pullBody,
  purchase,
  quoted,
  RECIPIENT,
  received,
  SIGNED_IN,
  USD,
  WALLET,
  waitingAction,
} from "./parts.ts";
import { advance, call, receiver, refused, type Steps, type TableExercises } from "./steps.ts";

/** A number's ending for a row. */
const ending = (row: string) => (row === "otherwise" ? "999" : row);

/** A word's ending for a row, after what stands before it. */
const after = (before: string, row: string) => (row === "otherwise" ? "" : before + row);

const toPerson = (name: string): Steps => [
  ...PAYER,
  call(`lookup = GET /receiver/uma/${name}@\${sandbox.umaDomain}`),
  call("quote = POST /quotes", {
    source: { sourceType: "ACCOUNT", accountId: "${usd.data.0.id}" },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: `${name}@\${sandbox.umaDomain}` },
    lookupId: "${lookup.lookupId}",
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    senderCustomerInfo: { FULL_NAME: "Tomas Reyes", BIRTH_DATE: "1979-11-30" },
  }),
  EXECUTE,
  advance("10m"),
];

const funded = (change: number): Steps => [
  ...PAYER,
  payee("999"),
  call("quote = POST /quotes", fundingBody),
  call("POST /sandbox/send", {
    quoteId: "${quote.id}",
    currencyCode: "USD",
    currencyAmount: 25_000 + change,
  }),
  advance("10s"),
];

const PAYMENTS = {
  quotedPayment: { any: (row) => [...quoted(ending(row)), EXECUTE, advance("10m")] },
  transferOut: {
    any: (row) => [...PAYER, bank(ending(row)), call("POST /transfer-out", OUT), advance("10m")],
  },
  transferIn: {
    any: (row) => [...PAYER, bank(ending(row)), call("POST /transfer-in", IN), advance("10m")],
  },
  pull: {
    any: (row) => [
      ...PAYER,
      bank(ending(row)),
      payee("999"),
      call("quote = POST /quotes", pullBody),
      EXECUTE,
      advance("10m"),
    ],
  },
  funding: { rows: { otherwise: funded(0), mismatch: funded(-100) } },
  umaPayment: { any: toPerson },
} satisfies Partial<Record<RuleTable, TableExercises>>;

const bounds = (currencyCode: string) => ({
  currencyCode,
  minAmount: 100,
  maxAmount: 10_000_000,
});

const TAKES_PESOS = call("PATCH /config", {
  supportedCurrencies: ["USD", "MXN"].map(bounds),
});

/** A default deposit account whose number has an ending. */
const deposit = (suffix: string) =>
  call("deposit = POST /customers/external-accounts", {
    customerId: "${customer.id}",
    defaultUmaDepositAccount: true,
    ...mxn(suffix),
  });

const INCOMING = {
  umaSender: {
    any: (name) => [
      ...receiver({ "INCOMING_PAYMENT.PENDING": [202] }),
      RECIPIENT,
      received(name),
      advance("1ms"),
      call("POST /transactions/${payment.id}/approve"),
      advance("10m"),
    ],
  },
  umaDeposit: {
    any: (row) => [
      ...receiver(),
      TAKES_PESOS,
      RECIPIENT,
      deposit(row),
      received("$success.mxn", { receivingCurrencyCode: "MXN", receivingCurrencyAmount: 88_000 }),
      advance("10m"),
    ],
    rows: { otherwise: [...receiver(), RECIPIENT, received(), advance("10m")] },
  },
} satisfies Partial<Record<RuleTable, TableExercises>>;

/** Sets what the provider of dollars asks of a customer, as only a fixture can. */
const providerAsks = (fields: readonly string[]) =>
  call("POST /_sim/seed", {
    fixture: {
      name: "provider-fields",
      config: {
        supportedCurrencies: [
          { ...bounds("USD"), providerRequiredCustomerFields: fields },
          bounds("EUR"),
        ],
      },
    },
  });

const DECISIONS = {
  approval: {
    any: (status) => approvalAnswered(Number(status)),
    rows: {
      otherwise: approvalAnswered(500),
      timeout: approvalAnswered("hang"),
      silence: [...approvalAnswered(202), advance("1m")],
      incomplete: [
        ...receiver(),
        // Noted as changed here, and so given back in the end.
        call("PATCH /config", { supportedCurrencies: [bounds("USD"), bounds("EUR")] }),
        providerAsks(["BIRTH_DATE"]),
        call("customer = POST /customers", { customerType: "INDIVIDUAL", currencies: ["EUR"] }),
        received(),
        advance("1s"),
        providerAsks([]),
      ],
    },
  },
  agentApproval: { any: (row) => [...waitingAction(row), advance("1s")] },
} satisfies Partial<Record<RuleTable, TableExercises>>;

const looked = (address: string, expect?: number) =>
  expect === undefined
    ? call(`GET /receiver/uma/${address}`)
    : refused(expect, `GET /receiver/uma/${address}`);

const PARTIES = {
  beneficiaryVerification: {
    any: (row) => [CUSTOMER, payee(ending(row))],
    rows: { "105": [CUSTOMER, { ...payee("105"), expect: { status: 400 } }] },
  },
  umaLookup: {
    rows: {
      person: [looked("$success.usd@${sandbox.umaDomain}")],
      customer: [RECIPIENT, looked("${customer.umaAddress}")],
      unknown: [looked("$nobody@${sandbox.umaDomain}", 404)],
      otherwise: [looked("$lena@bank.example", 424)],
    },
  },
  verification: {
    any: (row) => [
      business(`88-${ending(row)}`),
      owner(),
      call("POST /verifications", { customerId: "${business.id}" }),
    ],
    rows: {
      individual: [CUSTOMER, call("POST /verifications", { customerId: "${customer.id}" })],
      incomplete: [
        call("business = POST /customers", { customerType: "BUSINESS" }),
        call("POST /verifications", { customerId: "${business.id}" }),
      ],
    },
  },
  // Decided at once: in later revisions an owner waits until its business is.
  beneficialOwner: {
    any: (row) => [
      business("88-999"),
      call("POST /verifications", { customerId: "${business.id}" }),
      owner(`Haddad${after(" ", row)}`),
    ],
  },
  document: {
    any: (row) => [CUSTOMER, document(`passport-${row}.pdf`, 400)],
    rows: { otherwise: [CUSTOMER, document("passport.pdf")] },
  },
} satisfies Partial<Record<RuleTable, TableExercises>>;

/** A further account whose id has an ending, as the operator opens it. */
const source = (suffix: string): Steps => [
  CUSTOMER,
  USD,
  call("source = POST /_sim/internal-accounts", {
    customerId: "${customer.id}",
    currency: "USD",
    suffix,
  }),
  call("POST /cards", { ...cardBody, fundingSources: ["${source.id}"] }, { expect: 400 }),
];

const CARDS = {
  cardIssue: {
    any: (row) => [
      ...PAYER,
      call("POST /cards", { ...cardBody, platformCardId: `card-\${random}-${row}` }),
      advance("1m"),
    ],
    rows: { otherwise: [...CARD, advance("1s")] },
  },
  fundingSource: { any: source, rows: { otherwise: CARD } },
  cardAuthorization: {
    any: (row) => [...CARD, advance("1s"), purchase(`NORTH PIER ${ending(row)}`), advance("1m")],
  },
} satisfies Partial<Record<RuleTable, TableExercises>>;

const WALLET_PROOFS: Readonly<Record<string, Steps>> = {
  "000000": [
    ...OWNED_WALLET,
    call("POST /auth/credentials/${email.id}/verify", {
      type: "EMAIL_OTP",
      otp: "000000",
      clientPublicKey: CLIENT_KEY,
    }),
  ],
  "sandbox-valid-oidc-token": [
    ...WALLET,
    ID_TOKEN,
    call("oauth = POST /auth/credentials", oauthBody),
    call("POST /auth/credentials/${oauth.id}/verify", {
      type: "OAUTH",
      oidcToken: "sandbox-valid-oidc-token",
      clientPublicKey: CLIENT_KEY,
    }),
  ],
  "sandbox-valid-passkey-signature": [
    ...WALLET,
    PASSKEY,
    call("registered = POST /auth/credentials", passkeyBody),
    call("asked = POST /auth/credentials/${registered.id}/challenge", {
      clientPublicKey: CLIENT_KEY,
    }),
    call(
      "POST /auth/credentials/${registered.id}/verify",
      {
        type: "PASSKEY",
        assertion: {
          credentialId: "${passkey.attestation.credentialId}",
          clientDataJson: "eA",
          authenticatorData: "eA",
          signature: "sandbox-valid-passkey-signature",
        },
      },
      { headers: { "request-id": "${asked.requestId}" } },
    ),
  ],
  otherwise: [...SIGNED_IN],
  // Whatever a wallet's owner signs is decided by this row.
  [MAGIC_VALUES.walletSignature]: operationExercise("updateInternalAccount"),
};

/** Every table of the sandbox: a row that is new is met by the steps for any row of its table. */
const TABLES: Readonly<Record<RuleTable, TableExercises>> = {
  ...PAYMENTS,
  ...INCOMING,
  ...DECISIONS,
  ...PARTIES,
  ...LATER_OUTCOMES,
  ...CARDS,
  walletProof: { rows: WALLET_PROOFS },
};

/** Calls and clock steps after which a row, like `quotedPayment.003`, has decided something. */
export const outcomeExercise = (rule: string): Steps => {
  const at = rule.indexOf(".");
  const { any, rows = {} } = TABLES[rule.slice(0, at) as RuleTable];
  const row = rule.slice(at + 1);
  return rows[row] ?? any?.(row) ?? [];
};
