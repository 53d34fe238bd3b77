import { OPERATIONS_OF_ANY_REVISION } from "../../contract/operations.ts";
import {
  ACTION_PATH,
  ADVICE,
  AGENT,
  AGENT_QUOTE,
  agentWith,
  BRL_ACCOUNT,
  bank,
  bulkFile,
  business,
  CARD,
  CLEAR,
  CLIENT_KEY,
  CUSTOMER,
  cardBody,
  cardSimulation,
  document,
  EXECUTE,
  fundingBody,
  ID_TOKEN,
  IN,
  mxn,
  OUT,
  OWNED_CARD,
  OWNED_WALLET,
  oauthBody,
  owner,
  PASSKEY,
  PAYER,
  passkeyBody,
  payee,
  purchase,
  quoted,
  RECIPIENT,
  RETURN,
  REVERSAL,
  received,
  SIGNED_IN,
  WAITING_ACTION,
  WALLET,
} from "./parts.ts";
import {
  advance,
  byAgent,
  type CallStep,
  call,
  receiver,
  type Steps,
  signed,
  signedOrDone,
} from "./steps.ts";

const invitation = call("invitation = POST /invitations", { inviterUma: "$lena@pay.example" });

/** An incoming payment whose answer 202 leaves the decision to a call. */
const WAITING_PAYMENT: Steps = [
  ...receiver({ "INCOMING_PAYMENT.PENDING": [202] }),
  RECIPIENT,
  received(),
  advance("1ms"),
];

const CUSTOMERS: Record<string, Steps> = {
  createCustomer: [CUSTOMER],
  getCustomer: [CUSTOMER, call("GET /customers/${customer.id}")],
  patchCustomer: [
    CUSTOMER,
    call("PATCH /customers/${customer.id}", { customerType: "INDIVIDUAL", fullName: "Ada King" }),
  ],
  deleteCustomer: [CUSTOMER, call("DELETE /customers/${customer.id}")],
  uploadCustomersCsv: [bulkFile("umaAddress\n")],
  getBulkJob: [bulkFile("umaAddress\n"), call("GET /customers/bulk/jobs/${job.jobId}")],
  createKycLink: [
    CUSTOMER,
    call("POST /customers/${customer.id}/kyc-link", { redirectUri: "https://shop.example/done" }),
  ],
  getEndUserTerms: [call("GET /customers/end-user-terms")],
  createBeneficialOwner: [business("88-001"), owner()],
  listBeneficialOwners: [
    business("88-001"),
    call("GET /beneficial-owners?customerId=${business.id}"),
  ],
  getBeneficialOwner: [business("88-001"), owner(), call("GET /beneficial-owners/${owner.id}")],
  patchBeneficialOwner: [
    business("88-001"),
    owner(),
    call("PATCH /beneficial-owners/${owner.id}", { ownershipPercentage: 40 }),
  ],
  createDocument: [CUSTOMER, document("passport.pdf")],
  getDocument: [CUSTOMER, document("passport.pdf"), call("GET /documents/${document.id}")],
  replaceDocument: [
    CUSTOMER,
    document("passport.pdf"),
    call(
      "PUT /documents/${document.id}",
      { documentType: "PASSPORT", country: "MX" },
      { file: { name: "passport.pdf", text: "%PDF-" } },
    ),
  ],
  deleteDocument: [CUSTOMER, document("passport.pdf"), call("DELETE /documents/${document.id}")],
  createVerification: [
    business("88-001"),
    owner(),
    call("POST /verifications", { customerId: "${business.id}" }),
  ],
  getVerification: [
    business("88-001"),
    owner(),
    call("verification = POST /verifications", { customerId: "${business.id}" }),
    call("GET /verifications/${verification.id}"),
  ],
};

const ACCOUNTS: Record<string, Steps> = {
  createCustomerExternalAccount: [CUSTOMER, payee("999")],
  getCustomerExternalAccount: [
    CUSTOMER,
    payee("999"),
    call("GET /customers/external-accounts/${payee.id}"),
  ],
  deleteCustomerExternalAccount: [
    CUSTOMER,
    payee("999"),
    call("DELETE /customers/external-accounts/${payee.id}"),
  ],
  createPlatformExternalAccount: [call("POST /platform/external-accounts", BRL_ACCOUNT)],
  getPlatformExternalAccount: [
    call("account = POST /platform/external-accounts", mxn("999")),
    call("GET /platform/external-accounts/${account.id}"),
  ],
  deletePlatformExternalAccount: [
    call("account = POST /platform/external-accounts", mxn("998")),
    call("DELETE /platform/external-accounts/${account.id}"),
  ],
  fundInternalAccount: [...PAYER],
};

const PAYMENTS: Record<string, Steps> = {
  lookUpExternalAccount: [
    CUSTOMER,
    payee("999"),
    call("GET /receiver/external-account/${payee.id}"),
  ],
  lookUpUma: [call("GET /receiver/uma/$success.usd@${sandbox.umaDomain}")],
  createQuote: quoted(),
  getQuote: [...quoted(), call("GET /quotes/${quote.id}")],
  executeQuote: [...quoted(), EXECUTE],
  transferIn: [...PAYER, bank("999"), call("POST /transfer-in", IN)],
  transferOut: [...PAYER, bank("999"), call("POST /transfer-out", OUT)],
  getTransaction: [...quoted(), call("GET /transactions/${quote.transactionId}")],
  approveTransaction: [...WAITING_PAYMENT, call("POST /transactions/${payment.id}/approve")],
  rejectTransaction: [...WAITING_PAYMENT, call("POST /transactions/${payment.id}/reject")],
  cancelTransaction: [
    ...PAYER,
    bank("005"),
    call("out = POST /transfer-out", OUT),
    call("POST /transactions/${out.id}/cancel"),
    call("POST /transactions/${out.id}/cancel", undefined, { expect: 409 }),
  ],
  confirmReceiptDelivery: [...quoted(), call("POST /transactions/${quote.transactionId}/confirm")],
  estimateWithdrawalFee: [
    call("accounts = GET /platform/internal-accounts?currency=USDC"),
    call("POST /crypto/estimate-withdrawal-fee", {
      internalAccountId: "${accounts.data.0.id}",
      currency: "USDC",
      cryptoNetwork: "SOLANA",
      amount: 1_000_000,
      destinationAddress: "7nYBs5Zv2m",
    }),
  ],
  sandboxSend: [
    ...PAYER,
    payee("999"),
    call("quote = POST /quotes", fundingBody),
    call("POST /sandbox/send", {
      quoteId: "${quote.id}",
      currencyCode: "USD",
      currencyAmount: "${quote.totalSendingAmount}",
    }),
  ],
  sandboxReceiveUma: [...receiver(), RECIPIENT, received()],
  sendTestWebhook: [...receiver(), call("POST /sandbox/webhooks/test")],
};

const PLATFORM: Record<string, Steps> = {
  patchConfig: [call("PATCH /config", {})],
  createToken: [call("POST /tokens", { name: "ci reader", permissions: ["VIEW"] })],
  getToken: [call("tokens = GET /tokens"), call("GET /tokens/${tokens.data.0.id}")],
  deleteToken: [
    call("token = POST /tokens", { name: "ci reader", permissions: ["VIEW"] }),
    call("DELETE /tokens/${token.id}"),
  ],
  createInvitation: [invitation],
  getInvitation: [invitation, call("GET /invitations/${invitation.code}")],
  cancelInvitation: [invitation, call("POST /invitations/${invitation.code}/cancel")],
  claimInvitation: [
    invitation,
    call("POST /invitations/${invitation.code}/claim", { inviteeUma: "$noor@bank.example" }),
  ],
};

const WALLETS: Record<string, Steps> = {
  createCredential: [...OWNED_WALLET],
  listCredentials: [...WALLET, call("GET /auth/credentials?accountId=${wallet.data.0.id}")],
  deleteCredential: [
    ...SIGNED_IN,
    ID_TOKEN,
    ...signed("POST /auth/credentials", oauthBody),
    // A credential is revoked by a session of another one.
    call("POST /auth/credentials/${added.id}/verify", {
      type: "OAUTH",
      oidcToken: "${idToken.token}",
      clientPublicKey: CLIENT_KEY,
    }),
    ...signed("DELETE /auth/credentials/${email.id}"),
  ],
  challengeCredential: [...OWNED_WALLET, call("POST /auth/credentials/${email.id}/challenge")],
  verifyCredential: [...SIGNED_IN],
  listSessions: [...WALLET, call("GET /auth/sessions?accountId=${wallet.data.0.id}")],
  deleteSession: [...SIGNED_IN, ...signed("DELETE /auth/sessions/${session.id}")],
  refreshSession: [
    ...SIGNED_IN,
    ...signed("POST /auth/sessions/${session.id}/refresh", { clientPublicKey: CLIENT_KEY }),
  ],
  updateInternalAccount: [
    ...SIGNED_IN,
    ...signed("PATCH /internal-accounts/${wallet.data.0.id}", { privateEnabled: true }),
  ],
  exportWallet: [
    ...SIGNED_IN,
    ...signed("POST /internal-accounts/${wallet.data.0.id}/export", {
      clientPublicKey: CLIENT_KEY,
    }),
  ],
};

const keyBody = {
  cardId: "${card.id}",
  internalAccountId: "${wallet.data.0.id}",
  nickname: "Coffee",
};

const [ASKED, ANSWERED] = signed("POST /auth/delegated-keys", keyBody) as [CallStep, CallStep];

/** A wallet that funds a card, and a key that its owner signed for twice. */
const DELEGATED_KEY: Steps = [
  ...SIGNED_IN,
  call("card = POST /cards", { ...cardBody, fundingSources: ["${wallet.data.0.id}"] }),
  ASKED,
  { ...ANSWERED, name: "asked", expect: { status: 202 } },
  ANSWERED,
];
const simulated = (what: string): Steps => [...CARD, advance("1ms"), cardSimulation(what)];

const CARDS: Record<string, Steps> = {
  createCard: [...CARD],
  getCard: [...CARD, call("GET /cards/${card.id}")],
  patchCard: [
    ...OWNED_CARD,
    advance("1ms"),
    ...signedOrDone("PATCH /cards/${card.id}", { fundingSources: ["${usd.data.0.id}"] }),
  ],
  revealCard: [...CARD, advance("1ms"), call("POST /cards/${card.id}/reveal")],
  createDelegatedKey: [
    ...DELEGATED_KEY,
    call("POST /auth/delegated-keys", keyBody, { expect: 409 }),
  ],
  listDelegatedKeys: [
    ...DELEGATED_KEY,
    call("GET /auth/delegated-keys?accountId=${wallet.data.0.id}"),
  ],
  getDelegatedKey: [...DELEGATED_KEY, call("GET /auth/delegated-keys/${added.id}")],
  deleteDelegatedKey: [
    ...DELEGATED_KEY,
    call("DELETE /auth/delegated-keys/${added.id}"),
    call("DELETE /auth/delegated-keys/${added.id}", undefined, { expect: 400 }),
  ],
  simulateCardAuthorization: [...CARD, advance("1ms"), purchase()],
  simulateCardClearing: [...CARD, advance("1ms"), purchase(), ...CLEAR],
  simulateCardReturn: [...CARD, advance("1ms"), purchase(), ...CLEAR, RETURN],
  simulateCardBalanceInquiry: simulated("balance_inquiry"),
  simulateCardCreditAuthorization: simulated("credit_authorization"),
  simulateCardFinancialAuthorization: simulated("financial_authorization"),
  simulateCardFinancialCreditAuthorization: simulated("financial_credit_authorization"),
  simulateCardCreditAuthorizationAdvice: simulated("credit_authorization_advice"),
  simulateCardAuthorizationAdvice: [...CARD, advance("1ms"), purchase(), ...ADVICE],
  simulateCardReturnReversal: [
    ...CARD,
    advance("1ms"),
    purchase(),
    ...[...CLEAR, RETURN, REVERSAL],
  ],
};

const AGENTS: Record<string, Steps> = {
  createAgent: [CUSTOMER, ...agentWith().slice(0, 1)],
  redeemDeviceCode: [CUSTOMER, ...agentWith()],
  getDeviceCodeStatus: [
    CUSTOMER,
    ...agentWith().slice(0, 1),
    call("GET /agents/device-codes/${agent.deviceCode.code}/status"),
  ],
  getAgent: [CUSTOMER, ...agentWith(), call("GET /agents/${agent.agent.id}")],
  patchAgent: [
    CUSTOMER,
    ...agentWith(),
    call("PATCH /agents/${agent.agent.id}", { name: "Payroll bot" }),
  ],
  deleteAgent: [CUSTOMER, ...agentWith(), call("DELETE /agents/${agent.agent.id}")],
  approveAgentAction: [...WAITING_ACTION, call(`POST ${ACTION_PATH}/approve`)],
  rejectAgentAction: [...WAITING_ACTION, call(`POST ${ACTION_PATH}/reject`, { reason: "Not now" })],
  createAgentDeviceCode: [
    CUSTOMER,
    ...agentWith().slice(0, 1),
    call("POST /agents/${agent.agent.id}/device-codes"),
  ],
  patchAgentPolicy: [
    CUSTOMER,
    ...agentWith(),
    call("PATCH /agents/${agent.agent.id}/policy", { permissions: ["VIEW_TRANSACTIONS"] }),
  ],
  agentGetAction: [...WAITING_ACTION, byAgent("GET /agents/me/actions/${action.id}")],
  agentCreateExternalAccount: [
    ...AGENT,
    byAgent("POST /agents/me/external-accounts", { customerId: "${customer.id}", ...mxn("997") }),
  ],
  agentListExternalAccounts: [...AGENT, byAgent("GET /agents/me/external-accounts")],
  agentGetExternalAccount: [...AGENT, byAgent("GET /agents/me/external-accounts/${payee.id}")],
  agentDeleteExternalAccount: [
    ...AGENT,
    byAgent("DELETE /agents/me/external-accounts/${payee.id}"),
  ],
  agentCreateQuote: [...AGENT, AGENT_QUOTE],
  agentGetQuote: [...AGENT, AGENT_QUOTE, byAgent("GET /agents/me/quotes/${quote.id}")],
  agentExecuteQuote: [...AGENT, AGENT_QUOTE, byAgent("POST /agents/me/quotes/${quote.id}/execute")],
  agentGetTransaction: [
    ...AGENT,
    AGENT_QUOTE,
    byAgent("POST /agents/me/quotes/${quote.id}/execute"),
    byAgent("GET /agents/me/transactions/${quote.transactionId}"),
  ],
  agentTransferIn: [...AGENT, byAgent("POST /agents/me/transfer-in", IN)],
  agentTransferOut: [...AGENT, byAgent("POST /agents/me/transfer-out", OUT)],
};

const OPERATION_EXERCISES: Readonly<Record<string, Steps>> = {
  ...CUSTOMERS,
  ...ACCOUNTS,
  ...PAYMENTS,
  ...PLATFORM,
  ...WALLETS,
  ...CARDS,
  ...AGENTS,
};

/**
 * Calls that end with a success of an operation. A read without parameters needs none before it, or
 * an agent that makes it.
 */
export const operationExercise = (operationId: string): Steps => {
  const listed = OPERATION_EXERCISES[operationId];
  const { method, path, auth } =
    OPERATIONS_OF_ANY_REVISION.find((one) => one.operationId === operationId) ?? {};
  if (listed || method !== "GET" || path === undefined) return listed ?? [];
  return auth === "T" ? [...AGENT, byAgent(`GET ${path}`)] : [call(`GET ${path}`)];
};

/** A wallet whose money a quote spends, so that its owner has to sign. */
const WALLET_QUOTE: Steps = [
  ...SIGNED_IN,
  call("POST /sandbox/internal-accounts/${wallet.data.0.id}/fund", { amount: 100_000_000 }),
  payee("999"),
  call("quote = POST /quotes", {
    source: { sourceType: "ACCOUNT", accountId: "${wallet.data.0.id}" },
    destination: { destinationType: "ACCOUNT", accountId: "${payee.id}" },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000_000,
  }),
];

/** Signed second calls, where an operation can also do without. */
export const SIGNED_EXERCISES: Readonly<Record<string, Steps>> = {
  executeQuote: [...WALLET_QUOTE, ...signed("POST /quotes/${quote.id}/execute")],
  createCredential: [...SIGNED_IN, PASSKEY, ...signed("POST /auth/credentials", passkeyBody)],
  patchCustomer: [
    ...SIGNED_IN,
    ...signed("PATCH /customers/${customer.id}", {
      customerType: "INDIVIDUAL",
      email: "ada-new-${random}@example.com",
    }),
  ],
};
