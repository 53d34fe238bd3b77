import type { TransactionRecord } from "../../../src/domain/records/records.ts";
import type { Engine } from "../../../src/runtime/engine.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";
import { must } from "./breach.ts";
import type { Found } from "./call.ts";
import type { WorldModel } from "./world-model.ts";

/** The effect that one payment has had on an account, by its status alone. */
const effectOf = (record: TransactionRecord, accountId: string): number => {
  const { status, creditsAccountId, receivedMinor } = record;
  const credit = creditsAccountId === accountId && status === "COMPLETED" ? receivedMinor : 0;
  if (record.type === "INCOMING" || record.debitsAccountId !== accountId) return credit;
  const { sentMinor, refund, collectedMinor } = record;
  const isTaken = collectedMinor !== undefined && refund?.status !== "COMPLETED";
  return credit - (isTaken ? sentMinor : 0);
};

/** Balances that are due by what clients were told, and by the statuses of payments. */
const dueBalances = (model: WorldModel, state: WorldState): Map<string, number> => {
  const expected = new Map(
    Object.entries(model.accounts).map(([id, { fundedMinor }]) => [id, fundedMinor]),
  );
  const add = (id: string, minor: number) => {
    const before = expected.get(id);
    if (before !== undefined) expected.set(id, before + minor);
  };
  for (const record of state.each("Transaction"))
    for (const id of expected.keys()) add(id, effectOf(record, id));
  for (const { accountId, heldMinor, settlements, pulls, refunds } of state.each("CardTransaction"))
    add(accountId, refunds.minor - heldMinor - Math.min(settlements.minor, pulls.minor));
  return expected;
};

/** A look at a world for a call that does not know what happened. */
export const foundIn = ({ state, clock }: Engine, model: WorldModel): Found => ({
  excessMinor: (account) =>
    Number(state.balanceMinor(account, "USD")) - (dueBalances(model, state).get(account) ?? 0),
  ids: (kind) => [...state.ids(kind as never, "all", "")],
  get: (kind, id) => state.get(kind as never, id),
  nowMs: clock.now(),
});

/**
 * Compares balances with those that are due. A full account is owed the holds of its cards that it
 * could not take back (spec/card-transactions.md#holds), and nothing else.
 */
const checkBalances = (model: WorldModel, state: WorldState) => {
  let owedMinor = state.balanceMinor("Ledger:unrefunded", "USD");
  const withCards = new Set([...state.each("CardTransaction")].map(({ accountId }) => accountId));
  for (const [id, minor] of dueBalances(model, state)) {
    const found = state.balanceMinor(id, "USD");
    const lacksMinor = BigInt(minor) - found;
    const mayLack = withCards.has(id) ? owedMinor : 0n;
    const isOwed = lacksMinor >= 0n && lacksMinor <= mayLack;
    must(isOwed, () => `${id} holds ${found} where ${minor} is due`);
    owedMinor -= lacksMinor;
  }
};

const checkRecords = (model: WorldModel, state: WorldState) => {
  const { customers, quotes, cards, agents, tokens, statuses } = model;
  for (const { id, isDeleted } of Object.values(customers)) {
    const found = state.get("Customer", id);
    must(found !== undefined, () => `the customer ${id} was acknowledged and is missing`);
    must(!isDeleted || found.isDeleted === true, () => `the deleted customer ${id} is back`);
  }
  const imported = Object.values(model.jobs).reduce((sum, { rows }) => sum + rows, 0);
  const wanted = Object.keys(customers).length + imported;
  must(
    state.count("Customer") === wanted,
    () => `${state.count("Customer")} customers are there, ${wanted} were acknowledged`,
  );
  for (const [id, { transactionId, isExecuted }] of Object.entries(quotes)) {
    const quote = state.get("Quote", id);
    must(quote !== undefined, () => `the quote ${id} was acknowledged and is missing`);
    const payment = state.get("Transaction", transactionId);
    must(payment !== undefined, () => `the payment ${transactionId} of ${id} is missing`);
    must(
      !isExecuted || !["PENDING", "EXPIRED"].includes(quote.status),
      () => `the execution of ${id} was acknowledged, and it is ${quote.status}`,
    );
    must(
      quote.status === payment.status,
      () => `${id} is ${quote.status} and its payment ${payment.status}`,
    );
  }
  must(
    state.count("Quote") === Object.keys(quotes).length,
    () =>
      `${state.count("Quote")} quotes are there, ${Object.keys(quotes).length} were acknowledged`,
  );
  for (const id of Object.keys(statuses))
    must(state.get("Transaction", id) !== undefined, () => `the transfer ${id} is missing`);
  for (const id of Object.keys(cards))
    must(state.get("Card", id) !== undefined, () => `the card ${id} is missing`);
  for (const { id, isDeleted } of Object.values(agents))
    must(isDeleted || state.get("Agent", id) !== undefined, () => `the agent ${id} is missing`);
  for (const { id, isDeleted } of Object.values(tokens))
    must(
      (state.get("ApiToken", id) === undefined) === isDeleted,
      () => `the token ${id} ${isDeleted ? "is back" : "is missing"}`,
    );
};

const checkTrust = ({ trustsMore = false }: WorldModel, state: WorldState) => {
  const [config] = [...state.each("PlatformConfig")];
  must(
    (config?.webhookCa !== undefined) === trustsMore,
    () =>
      `the certificate of receivers ${trustsMore ? "was acknowledged and is missing" : "is back"}`,
  );
};

const checkPayees = ({ payees, banks }: WorldModel, state: WorldState) => {
  for (const [id, { isDeleted }] of Object.entries({ ...payees, ...banks })) {
    const found = state.get("ExternalAccount", id);
    must(isDeleted || found !== undefined, () => `the account ${id} is missing`);
  }
};

/** Kinds of records that are there until they are deleted, with what clients know of each. */
const deletable = (model: WorldModel) =>
  [
    ["AuthMethod", model.credentials],
    ["Document", model.documents],
    ["ExternalAccount", model.platformBanks],
  ] as const;

const checkPapers = (model: WorldModel, state: WorldState) => {
  for (const [kind, known] of deletable(model))
    for (const [id, { isDeleted }] of Object.entries(known))
      must(
        (state.get(kind, id) === undefined) === isDeleted,
        () => `the ${kind} ${id} ${isDeleted ? "is back" : "is missing"}`,
      );
  for (const id of Object.keys(model.owners))
    must(state.get("BeneficialOwner", id) !== undefined, () => `the owner ${id} is missing`);
  for (const id of Object.keys(model.verifications))
    must(state.get("Verification", id) !== undefined, () => `the verification ${id} is missing`);
};

const checkSessions = (
  { sessions, challenges }: WorldModel,
  { state, nowMs }: { state: WorldState; nowMs: number },
) => {
  for (const [id, { isEnded, expiresAtMs }] of Object.entries(sessions)) {
    const found = state.get("Session", id);
    must(found !== undefined, () => `the session ${id} was acknowledged and is missing`);
    const isOver = found.revokedAtMs !== undefined;
    // One that has expired is not ended once more.
    const isRight = isEnded ? isOver || nowMs >= expiresAtMs : !isOver;
    must(
      isRight,
      () => `the session ${id} ${isEnded ? "was ended and continues" : "ended without a call"}`,
    );
  }
  for (const [id, { isUsed }] of Object.entries(challenges)) {
    const found = state.get("Request", id);
    must(found !== undefined, () => `the challenge ${id} was acknowledged and is missing`);
    must(
      (found.usedAtMs !== undefined) === isUsed,
      () => `the challenge ${id} ${isUsed ? "was answered and waits" : "was used by nobody"}`,
    );
  }
};

/** Compares what clients were told of a world with the world. */
export const checkModel = (model: WorldModel, { state, clock }: Engine) => {
  checkRecords(model, state);
  checkTrust(model, state);
  checkPayees(model, state);
  checkPapers(model, state);
  checkSessions(model, { state, nowMs: clock.now() });
  checkBalances(model, state);
};
