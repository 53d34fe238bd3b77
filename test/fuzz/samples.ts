import { FIRST_REVISION, type Revision } from "../../src/contract/core/revision-names.ts";
import { REVISION_FEATURES } from "../../src/contract/core/revisions.ts";
import { LATER_OPERATIONS } from "../../src/contract/operations.ts";
import { idName, type KnownIds, VALID_BODIES } from "../api/setup/populated.ts";
import { BUSINESS_QUERIES } from "../api/setup/populated-business.ts";
import { NEEDED_QUERIES } from "../api/setup/populated-wallets.ts";
import type { Chance } from "../simulation/setup/chance.ts";
import { type DescribedOperation, nameOf } from "./described-operations.ts";

/** Input that an operation accepts in a world with records of each kind. */
export interface Sample {
  /** Values of the path's parameters, where their names do not tell. */
  params?: Readonly<Record<string, string>>;
  /** Pairs of the query as they are sent. */
  query?: string;
  body?: unknown;
  /** Fields of a form with one file. */
  form?: { fields: Readonly<Record<string, string>>; fileName: string; file: string };
}

type MakeSample = (ids: KnownIds, chance: Chance) => Sample;

const PASSPORT = { documentType: "PASSPORT", country: "MX" };
const PDF = { fileName: "passport.pdf", file: "%PDF-" };

const PURCHASE = {
  amount: 500,
  currency: { code: "USD" },
  merchant: { descriptor: "NORTH PIER BOOKS" },
};

const purchase = (): Sample => ({ body: PURCHASE });

/** Samples of operations that a later revision has, or has in another form. */
const LATER: Readonly<Record<string, MakeSample>> = {
  verifyCredential: ({ sealedCredentialId, encryptedOtpBundle }) =>
    sealedCredentialId === undefined
      ? {}
      : {
          params: { id: sealedCredentialId },
          body: { type: "EMAIL_OTP", encryptedOtpBundle },
        },
  createVerification: ({ personId }) =>
    personId === undefined ? {} : { body: { customerId: personId } },
  createDelegatedKey: ({ keyCardId, keyWalletId }) => ({
    body: { cardId: keyCardId, internalAccountId: keyWalletId, nickname: "Tea" },
  }),
  getDelegatedKey: ({ delegatedKeyId = "" }) => ({ params: { id: delegatedKeyId } }),
  deleteDelegatedKey: ({ delegatedKeyId = "" }) => ({ params: { id: delegatedKeyId } }),
  cancelTransaction: ({ slowTransactionId = "" }) => ({
    params: { transactionId: slowTransactionId },
  }),
  simulateCardBalanceInquiry: () => ({ body: { merchant: PURCHASE.merchant } }),
  simulateCardCreditAuthorization: purchase,
  simulateCardFinancialAuthorization: purchase,
  simulateCardFinancialCreditAuthorization: purchase,
  simulateCardCreditAuthorizationAdvice: purchase,
  simulateCardReturnReversal: ({ returnedCardTransactionId }) => ({
    body: { cardTransactionId: returnedCardTransactionId },
  }),
};

/** Samples of the platform beside the bodies that its own tests have. */
const PLATFORM: Readonly<Record<string, MakeSample>> = {
  approveTransaction: ({ incomingId = "" }) => ({ params: { transactionId: incomingId } }),
  rejectTransaction: ({ incomingId = "" }) => ({ params: { transactionId: incomingId } }),
  createDocument: ({ customerId = "" }) => ({
    form: { fields: { documentHolder: customerId, ...PASSPORT }, ...PDF },
  }),
  replaceDocument: () => ({ form: { fields: PASSPORT, ...PDF } }),
  uploadCustomersCsv: () => ({
    form: { fields: {}, fileName: "customers.csv", file: "umaAddress\n" },
  }),
  sandboxReceiveUma: ({ customerId }) => ({
    body: {
      senderUmaAddress: "$success.usd@sandbox.uma.test",
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 8_800,
      customerId,
    },
  }),
  lookUpExternalAccount: ({ externalAccountId = "" }) => ({
    params: { accountId: externalAccountId },
  }),
  deleteCredential: ({ spareCredentialId = "" }) => ({ params: { id: spareCredentialId } }),
  getPlatformExternalAccount: ({ platformAccountId = "" }) => ({
    params: { externalAccountId: platformAccountId },
  }),
  deletePlatformExternalAccount: ({ platformAccountId = "" }) => ({
    params: { externalAccountId: platformAccountId },
  }),
  simulateCardReturn: ({ cardTransactionId }) => ({ body: { cardTransactionId, amount: 500 } }),
};

const json = (value: unknown) => (): Sample => ({ body: value });

/** Samples of the control surface. Operations without one need no input but ids. */
const CONTROL: Readonly<Record<string, MakeSample>> = {
  createWorld: json({}),
  recordCapsule: json({ name: "fuzz" }),
  setProviderFields: json({ isRegulatedFinancialInstitution: true }),
  seed: json({ generate: { customers: { count: 2 } } }),
  setClock: json({ mode: "manual" }),
  advance: json({ by: "1m" }),
  previewClock: json({ by: "1m" }),
  rewind: json({ by: "1ms", dryRun: true }),
  postponeTimer: json({ by: "1m" }),
  addWebhookTrouble: json({ do: "duplicate", times: 1 }),
  releaseWebhooks: json({}),
  forwardedWebhook: json({ status: 200, tookMs: 1, signature: "none" }),
  triggerWebhook: json({ type: "TEST" }),
  sendVector: json({ vector: "wrong-key" }),
  call: json({ method: "GET", path: "/config" }),
  exerciseCoverage: json({ item: "operations.sendTestWebhook" }),
  setCodes: json({ codes: "fixed" }),
  setNextOutcome: json({ rule: "quotedPayment.003" }),
  evaluatePolicy: ({ accountId, bankId }) => ({
    body: {
      type: "TRANSFER_OUT",
      amount: 100,
      source: { accountId },
      destination: { accountId: bankId },
    },
  }),
  addFault: json({ match: { operation: "getConfig", times: 1 }, fault: { latencyMs: 1 } }),
  setRateLimit: json({ limit: "10000/s" }),
  setApprovals: json({ mode: "ask" }),
  oidcToken: json({ email: "lena@shop.example" }),
  setRates: json({ perUsd: { EUR: "0.92" } }),
  openInternalAccount: ({ customerId }) => ({ body: { customerId, currency: "EUR" } }),
  setInternalAccountStatus: json({ status: "ACTIVE" }),
  setPendingReason: ({ slowTransactionId = "" }) => ({
    params: { transactionId: slowTransactionId },
    body: { pendingReason: null },
  }),
  setCustomerStatus: json({ kycStatus: "APPROVED" }),
  importSnapshot: ({ snapshotFile }) => ({ body: { file: snapshotFile, name: "taken-in" } }),
  waitForWebhooks: () => ({ query: "type=TEST&count=1&timeout=100ms" }),
  waitForMail: () => ({ query: "timeoutMs=20&to=lena@old.example" }),
  consoleFile: ({ consoleFiles = "" }, chance) => ({
    params: { file: chance.pick(consoleFiles.split(" ")) },
  }),
  docsFile: (_ids, chance) => ({ params: { file: chance.pick(["page.js", "page.css"]) } }),
  docsPage: () => ({ params: { page: "reference" } }),
  docsOfFolder: () => ({ params: { folder: "spec", page: "quotes" } }),
  why: ({ quoteId = "" }) => ({ params: { id: quoteId } }),
  wholeId: ({ quoteId = "" }) => ({ params: { id: quoteId.slice(-6) } }),
  record: ({ quoteId = "" }) => ({ params: { recordId: quoteId } }),
  balanceSeries: ({ accountId }) => ({ query: `account=${accountId}` }),
  diff: () => ({ query: "from=snapshot:base" }),
  saveSnapshot: () => ({ params: { name: "base" } }),
  restoreSnapshot: () => ({ params: { name: "base" }, body: { keepClock: true } }),
  removeSnapshot: () => ({ params: { name: "base" } }),
  exportSnapshot: () => ({ params: { name: "base" } }),
};

/** Input that an operation accepts, as far as it is known. */
export const sampleOf = (one: DescribedOperation, ids: KnownIds, chance: Chance): Sample => {
  const { operationId, surface } = one;
  if (surface === "control") return CONTROL[operationId]?.(ids, chance) ?? {};
  const query = { ...NEEDED_QUERIES, ...BUSINESS_QUERIES }[operationId]?.(ids);
  const sample = VALID_BODIES[operationId]?.(ids);
  return {
    ...(query !== undefined && { query }),
    ...(sample !== undefined && { body: sample }),
    ...PLATFORM[operationId]?.(ids, chance),
    ...LATER[operationId]?.(ids, chance),
  };
};

/** The name under which the id of a path's parameter is known. */
export const idNameOf = (one: DescribedOperation, param: string) =>
  one.surface === "control" ? param : idName(one as never, param);

/** Calls that must come before an operation, so that there is something to work on. */
export const BEFORE: Readonly<Record<string, readonly string[]>> = {
  "platform.getPlatformExternalAccount": ["platform.createPlatformExternalAccount"],
  "platform.deletePlatformExternalAccount": ["platform.createPlatformExternalAccount"],
  "control.rewind": ["control.advance"],
  "control.clearFault": ["control.addFault"],
  "control.liftWebhookTrouble": ["control.addWebhookTrouble"],
  "control.liftNextOutcome": ["control.setNextOutcome"],
  "control.removeWorld": ["control.createWorld"],
  "control.worldRecording": ["control.createWorld"],
  "control.endCapsule": ["control.recordCapsule"],
  "control.restoreSnapshot": ["control.saveSnapshot"],
  "control.removeSnapshot": ["control.saveSnapshot"],
  "control.exportSnapshot": ["control.saveSnapshot"],
  "control.diff": ["control.saveSnapshot"],
  "control.waitForWebhooks": ["control.triggerWebhook"],
  "control.webhook": ["control.triggerWebhook"],
  "control.webhookRequest": ["control.triggerWebhook"],
  "control.resendWebhook": ["control.triggerWebhook"],
  "control.forwardedWebhook": ["control.triggerWebhook"],
  "control.request": ["platform.getConfig", "control.requests"],
};

/** Calls that undo what would answer for the operations behind: switches, limits, a moving clock. */
export const AFTER: Readonly<Record<string, { operation: string; body?: unknown }>> = {
  "control.addFault": { operation: "control.clearFaults" },
  "control.setRateLimit": { operation: "control.setRateLimit", body: { limit: "none" } },
  "control.recordCapsule": { operation: "control.endCapsule" },
  "control.setClock": { operation: "control.setClock", body: { mode: "manual" } },
  "control.addWebhookTrouble": { operation: "control.liftWebhookTroubles" },
};

/** Names under which the id in an answer is known for later calls. */
export const LEARNED: Readonly<Record<string, string>> = {
  "platform.createPlatformExternalAccount": "platformAccountId",
  "control.addFault": "faultId",
  "control.addWebhookTrouble": "troubleId",
  "control.setNextOutcome": "outcomeId",
  "control.createWorld": "name",
  "control.triggerWebhook": "webhookId",
  "control.requests": "requestId",
};

/** Operations whose answers are long and always the same: called in one turn of eight. */
export const RARE: ReadonlySet<string> = new Set([
  "control.openapi",
  "control.controlOpenapi",
  "control.docs",
  "control.docsFile",
  "control.docsPage",
  "control.docsOfFolder",
  "control.consoleFile",
  "control.recordCapsule",
  "control.endCapsule",
]);

/** Operations of features that are refused to a platform which they do not concern. */
const OF_OTHERS: ReadonlySet<string> = new Set(
  LATER_OPERATIONS.filter(({ since }) => since && REVISION_FEATURES[since].served !== "full").map(
    ({ operationId }) => operationId,
  ),
);

/** Operations that only a later revision does not refuse, in the document of any. */
const OF_LATER = new Set(["setPendingReason"]);

/** Operations that only a database has: the forms of the server keep their worlds elsewhere. */
const OF_A_DATABASE = new Set(["cluster"]);

/** Tells whether an operation has a success at all, in a world of its revision. */
export const canSucceed = (
  { operationId }: DescribedOperation,
  revision: Revision = FIRST_REVISION,
) =>
  !OF_OTHERS.has(operationId) &&
  !OF_A_DATABASE.has(operationId) &&
  (revision !== FIRST_REVISION || !OF_LATER.has(operationId));

/** Operations that may keep a caller waiting for what it asks for. */
const WAITING = new Set(["control.waitForWebhooks", "control.waitForMail"]);

/** True for an operation whose answer may take as long as its caller asked for. */
export const waits = (one: DescribedOperation) => WAITING.has(nameOf(one));
