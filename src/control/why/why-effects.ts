import type { Effect } from "../../contract/control/why.ts";
import { defined } from "../../contract/core/defined.ts";
import { POLICY_ROWS } from "../../domain/agents/agent-policy.ts";
import { all, instant } from "../../domain/core/draft.ts";
import { isLedgerAccount } from "../../domain/money/ledger.ts";
import type { DeliveryRecord } from "../../domain/records/records.ts";
import type { SetTimer } from "../../runtime/history.ts";
import type { BookedPosting, WorldState } from "../../runtime/world-state.ts";
import { outcomeGroups } from "../core/outcome-groups.ts";

/** Puts a table row into words: `003 of quoted payments: completes after about 6 minutes`. */
export const ruleEffect = (rule: string): Effect => {
  const dot = rule.indexOf(".");
  const [name, match] = [rule.slice(0, dot), rule.slice(dot + 1)];
  const policyRow = POLICY_ROWS.find((one) => name === "policy" && one.name === match);
  if (policyRow) return { kind: "rule", rule, says: `${match} of the agent's policy decided` };
  const group = outcomeGroups().find((one) => one.group === name);
  const row = group?.rows.find((one) => one.match === match);
  if (!group || !row) return { kind: "rule", rule };
  const which = match === "otherwise" ? "any other ending" : match;
  const many = group.plural ?? `${group.title.toLowerCase()}s`;
  return { kind: "rule", rule, says: `${which} of ${many}: ${row.says}` };
};

const SET_WORDS = "set by outcomes next";

/** The rows of a change: the one that decided it, and those that a tester had set. */
export const ruleEffects = (
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
export const timerEffects = (
  timers: readonly SetTimer[] = [],
  canceled: readonly string[] = [],
): Effect[] => [
  ...timers.map(([timer, dueAtMs]): Effect => ({ kind: "timer", timer, dueAt: instant(dueAtMs) })),
  ...canceled.map((timer): Effect => ({ kind: "timer", timer, canceled: true })),
];

export const webhookEffect = ({ id, type, state, attempts }: DeliveryRecord): Effect => ({
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
});

/** Deliveries that tell of a record, oldest first. */
export const deliveriesAbout = (state: WorldState, id: string): DeliveryRecord[] =>
  all(state, "Delivery").filter(({ about }) => about === id);

/** The change a posting belongs to; none for an opening, which stands for many. */
export const seqOf = ({ id }: BookedPosting): number | undefined => {
  const seq = Number(id.split(".")[0]);
  return Number.isNaN(seq) ? undefined : seq;
};

/**
 * The postings of some changes, each with the balance after it, which is computed back from the
 * present one.
 */
export const postingEffects = (state: WorldState, seqs: ReadonlySet<number>) => {
  const effects = new Map<number, Effect[]>();
  const first = Math.min(...seqs);
  const after = new Map<string, bigint>();
  for (const posting of state.postings.reversed()) {
    const seq = seqOf(posting);
    if (seq === undefined || seq < first) break;
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
