import { type Effect, type Step, Story } from "../../contract/control/why.ts";
import { defined } from "../../contract/core/defined.ts";
import { TROUBLES } from "../../contract/core/trouble-names.ts";
import { POLICY_ROWS } from "../../domain/agents/agent-policy.ts";
import { all, instant } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { isLedgerAccount } from "../../domain/money/ledger.ts";
import type { DeliveryRecord } from "../../domain/records/records.ts";
import { HISTORY_DEPTH, type HistoryEntry, type SetTimer } from "../../runtime/history.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { everyOutcomeGroup } from "../core/outcome-groups.ts";
import { findPresentId } from "../core/present-ids.ts";
import type { World } from "../core/world.ts";
import { absenceSentence } from "./requests.ts";
import { calculationOf } from "./why-calculation.ts";
import { becauseOf, becauseOfDelivery } from "./why-causes.ts";
import { factsOf } from "./why-facts.ts";
import { identifiersOf } from "./why-identifiers.ts";

/** Puts a table row into words: `test rule 003: completes after about 6 minutes`. */
const ruleEffect = (rule: string): Effect => {
  const dot = rule.indexOf(".");
  const [name, match] = [rule.slice(0, dot), rule.slice(dot + 1)];
  const policyRow = POLICY_ROWS.find((one) => name === "policy" && one.name === match);
  if (policyRow) return { kind: "rule", rule, says: `${match} of the agent's policy decided` };
  const group = everyOutcomeGroup().find((one) => one.group === name);
  const row = group?.rows.find((one) => one.match === match);
  if (!group || !row) return { kind: "rule", rule };
  const which = match === "otherwise" ? "no test rule" : `test rule ${match}`;
  return { kind: "rule", rule, says: `${which}: ${row.says}` };
};

const SET_WORDS = "set by outcomes next";

/** The rows of a change: the one that decided it, and those that a tester had set. */
const ruleEffects = (
  row: string | undefined,
  set: readonly string[] = [],
  earlier: readonly string[] = [],
): Effect[] => {
  const rows = [...new Set([...(row === undefined ? [] : [row]), ...set])];
  return rows.map((rule) => {
    const effect = ruleEffect(rule);
    if (effect.kind !== "rule" || !(set.includes(rule) || earlier.includes(rule))) return effect;
    return { ...effect, says: `${effect.says ?? rule} (${SET_WORDS})`, isSet: true };
  });
};

/** The timers that a change set or moved, and those it canceled. */
const timerEffects = (
  timers: readonly SetTimer[] = [],
  canceled: readonly string[] = [],
): Effect[] => [
  ...timers.map(([timer, dueAtMs]): Effect => ({ kind: "timer", timer, dueAt: instant(dueAtMs) })),
  ...canceled.map((timer): Effect => ({ kind: "timer", timer, canceled: true })),
];

const webhookEffect = ({ id, type, state, attempts, nextAttemptAtMs }: DeliveryRecord): Effect => ({
  kind: "webhook",
  id,
  type,
  state,
  attempts: attempts.map(({ attempt, atMs, httpStatus, tookMs, error }) => ({
    attempt,
    at: instant(atMs),
    status: httpStatus ?? null,
    tookMs,
    ...defined({ error }),
  })),
  ...(nextAttemptAtMs !== undefined && { nextAttemptAt: instant(nextAttemptAtMs) }),
});

/** Deliveries that tell of a record, oldest first. */
const deliveriesAbout = (state: WorldState, id: string): DeliveryRecord[] =>
  all(state, "Delivery").filter(({ about }) => about === id);

/**
 * The postings of some changes, each with the balance after it, which is computed back from the
 * present one.
 */
const postingEffects = (state: WorldState, seqs: ReadonlySet<number>) => {
  const effects = new Map<number, Effect[]>();
  const first = Math.min(...seqs);
  const after = new Map<string, bigint>();
  for (const posting of state.postings.reversed()) {
    const { seq } = posting;
    if (seq < first) break;
    const { account, currency, amountMinor } = posting;
    const key = `${account} ${currency}`;
    const leaves = after.get(key) ?? state.balanceMinor(account, currency);
    after.set(key, leaves - amountMinor);
    if (!seqs.has(seq)) continue;
    const effect: Effect = {
      kind: "posting",
      account,
      currency,
      amount: Number(amountMinor),
      ...(!isLedgerAccount(account) && { leaves: Number(leaves) }),
    };
    effects.set(seq, [effect, ...(effects.get(seq) ?? [])]);
  }
  return effects;
};

/** A change as the history or the ledger knows it. */
type KnownChange = Pick<HistoryEntry, "seq" | "atMs" | "cause"> & Partial<HistoryEntry>;

/** The changes that moved money of an account, newest first. */
const changesOfAccount = (state: WorldState, account: string): KnownChange[] => {
  const changes = new Map<number, KnownChange>();
  for (const posting of state.postings.reversed()) {
    const { seq, atMs, cause } = posting;
    if (seq === 0 || changes.size > HISTORY_DEPTH) break;
    if (posting.account === account) changes.set(seq, { seq, atMs, cause });
  }
  return [...changes.values()];
};

/** Known changes of a record, oldest first, and whether there were more. */
const knownChanges = (state: WorldState, id: string) => {
  const remembered = state.history.of(id);
  const bySeq = new Map<number, KnownChange>();
  for (const change of [...changesOfAccount(state, id), ...remembered])
    bySeq.set(change.seq, change);
  const all = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const isCut = remembered.length === HISTORY_DEPTH || all.length > HISTORY_DEPTH;
  return { changes: all.slice(-HISTORY_DEPTH), isCut };
};

/** The judgment of an agent's action, and what came of it. */
const actionOf = (state: WorldState, id: string): Story["action"] => {
  const action = state.get("AgentAction", id);
  if (!action) return undefined;
  const payment = state.get("Transaction", action.transactionId ?? "");
  return {
    why: action.judged,
    ...defined({ because: action.failedBecause }),
    ...(payment && { transaction: { id: payment.id, status: payment.status } }),
  };
};

const storyOfRecord = (world: World, id: string): Story => {
  const { state } = world.engine;
  const { changes, isCut } = knownChanges(state, id);
  const postings = postingEffects(state, new Set(changes.map(({ seq }) => seq)));
  const deliveries = deliveriesAbout(state, id);
  const webhooksOf = ({ cause, atMs }: KnownChange) =>
    deliveries
      .filter((one) => one.cause === cause && one.bornAtMs === atMs)
      .map((one) => deliveries.splice(deliveries.indexOf(one), 1)[0] ?? one);
  const chain = changes.map((change, place): Step => {
    const { seq, atMs, row, status, timers, set, canceled } = change;
    const setEarlier = changes.slice(0, place).flatMap((one) => one.set ?? []);
    return {
      at: instant(atMs),
      seq,
      ...defined({ status }),
      because: becauseOf(world, change),
      effects: [
        ...(postings.get(seq) ?? []),
        ...ruleEffects(row, set, setEarlier),
        ...timerEffects(timers, canceled),
        ...webhooksOf(change).map(webhookEffect),
      ],
    };
  });
  const ends = `only the last ${HISTORY_DEPTH} changes are remembered`;
  const more = defined({
    calculation: calculationOf(state, id),
    identifiers: identifiersOf(state, id),
    action: actionOf(state, id),
  });
  return { id, ...factsOf(state, id), ...more, chain, ...(isCut && { ends }) };
};

/** The trouble that an event met, as the row that decided how it is sent. */
const troubleEffects = ({ trouble }: DeliveryRecord): Effect[] =>
  Object.entries(TROUBLES).flatMap(([name, { did, what }]) =>
    did === trouble?.did ? [{ kind: "rule", rule: `webhooks ${name}`, says: what }] : [],
  );

const storyOfWebhook = (world: World, id: string): Story | undefined => {
  const { state } = world.engine;
  const delivery = state.get("Delivery", id);
  if (!delivery) return undefined;
  const { bornAtMs, rule } = delivery;
  const step: Step = {
    at: instant(bornAtMs),
    status: delivery.state,
    because: becauseOfDelivery(world, delivery),
    effects: [
      ...(rule === undefined ? [] : [ruleEffect(rule)]),
      ...troubleEffects(delivery),
      webhookEffect(delivery),
    ],
  };
  return { id, ...factsOf(state, id), chain: [step] };
};

const causedEffect = (state: WorldState, id: string): Effect => {
  const [timer = "", subject] = id.split(" ");
  const delivery = state.get("Delivery", id);
  if (subject !== undefined) return { kind: "timer", timer, subject };
  return delivery ? webhookEffect(delivery) : { kind: "record", id };
};

/** Tells what the records still know of a request that is no longer in the log. */
const storyOfForgotten = (world: World, id: string): Story | undefined => {
  if (world.log.absenceOf(id) !== "gone") return undefined;
  const { state } = world.engine;
  const deliveries = all(state, "Delivery").filter(({ cause }) => cause === id);
  const known = state.history.causedBy(id);
  const firsts = new Map(known.toReversed().map(({ entry }) => [entry.seq, entry]));
  const chain = [...firsts.values()].reverse().map((entry): Step => {
    const { atMs, row, seq, set } = entry;
    const records = known.filter((one) => one.entry.seq === seq);
    return {
      at: instant(atMs),
      seq,
      because: becauseOf(world, entry),
      effects: [
        ...ruleEffects(row, set),
        ...records.map((one): Effect => ({ kind: "record", id: one.id })),
        ...records.flatMap((one) => timerEffects(one.entry.timers)),
        ...deliveries.filter(({ bornAtMs }) => bornAtMs === atMs).map(webhookEffect),
      ],
    };
  });
  if (chain.length === 0) return undefined;
  return { id, kind: "request", chain, ends: absenceSentence(world, id) };
};

const UNDONE = "a rewind undid what it did";

/** Tells the story of a request, where causes begin: everything that it set off. */
const storyOfRequest = (world: World, id: string): Story => {
  const request = world.log.find(id);
  if (!request)
    return (
      storyOfForgotten(world, id) ?? refuse("ID_NOT_FOUND", { id }, absenceSentence(world, id))
    );
  const step: Step = {
    at: instant(request.atMs),
    status: String(request.status),
    because: becauseOf(world, { cause: id, seq: 0 }),
    effects: [
      ...(request.rules ?? []).map(ruleEffect),
      ...request.caused.map((one) => causedEffect(world.engine.state, one)),
    ],
  };
  const { status, replay, undone, revisions } = request;
  return {
    id,
    kind: "request",
    status: String(status),
    ...(replay && { replay }),
    ...(revisions && { revisions }),
    chain: [step],
    ...(undone && { ends: UNDONE }),
  };
};

const storyOf = (world: World, text: string): Story => {
  if (text.startsWith("req-")) return storyOfRequest(world, text);
  const { state } = world.engine;
  if (state.allBalances().some(({ account }) => account === text))
    return storyOfRecord(world, text);
  const id = findPresentId(world, text);
  return storyOfWebhook(world, id) ?? storyOfRecord(world, id);
};

/** Explanations of how a record got into its state. */
export const whyEndpoints = [
  endpoint({
    operationId: "why",
    summary:
      "Explain how a record, account, webhook or request got into its state; short ids are enough",
    method: "GET",
    path: "/why/{id}",
    replies: [200, Story],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    // Readings are refused in a stopped world, whose story is wanted most.
    handle: ({ params: { id } }, call, world) => {
      call.sawEverything();
      return storyOf(world, id);
    },
  }),
];
