import { type ClusterHistory, grouped, stepsOf, type Told } from "./history.ts";
import { type Kept, ReplayedWorld } from "./replayed-world.ts";

const OK = 200;
const CREATED = 201;
const NOT_FOUND = 404;

const called = ({ method, path, world, seq }: Told) => `${method} ${path} of ${world} at ${seq}`;

/** No reply shows less than one that had ended before its call began. */
export const staleReplies = ({ calls }: ClusterHistory): string[] => {
  const found: string[] = [];
  const seen = calls.filter(({ seq }) => seq !== undefined);
  for (const [world, told] of grouped(seen, ({ world }) => world)) {
    const ended = told.toSorted((a, b) => a.endMs - b.endMs);
    let at = 0;
    let highest = 0;
    for (const call of told.toSorted((a, b) => a.beginMs - b.beginMs)) {
      for (; at < ended.length && (ended[at] as Told).endMs < call.beginMs; at += 1)
        highest = Math.max(highest, (ended[at] as Told).seq as number);
      if ((call.seq as number) < highest)
        found.push(`${called(call)} came after one of ${world} at ${highest}`);
    }
  }
  return found;
};

/** Members of a published record beside those of the stored one. */
const MEMBERS: Readonly<Record<string, (body: Told["body"], kept: Kept) => [unknown, unknown][]>> =
  {
    Quote: (body, kept) => [
      [body.status, kept.status],
      [body.totalSendingAmount, kept.totalSendingMinor],
      [body.totalReceivingAmount, kept.totalReceivingMinor],
      [body.transactionId, kept.transactionId],
    ],
    Transaction: (body, kept) =>
      [
        [body.status, kept.status],
        [body.type, kept.type],
        ...(kept.type === "OUTGOING" ? ([[body.sentAmount?.amount, kept.sentMinor]] as const) : []),
      ] as [unknown, unknown][],
  };

/** Kinds of records whose changes carry the whole record. */
const COMPARED = ["Customer", "ExternalAccount", "Quote", "Transaction"];

const difference = (kind: string, body: Told["body"], kept: Kept): string | undefined => {
  const differs = (MEMBERS[kind]?.(body, kept) ?? []).find(([shown, stored]) => shown !== stored);
  return differs && `shows ${JSON.stringify(differs[0])} where the journal has ${differs[1]}`;
};

/**
 * Tells whether the body is that of the state at `seq`. With a key it may be a stored answer: a process
 * repeats such a call by itself when the owner of its world is gone.
 */
const isOfItsSeq = ({ method, key }: Told) => method === "GET" || key === undefined;

const wrongRecord = (call: Told, world: ReplayedWorld): string | undefined => {
  const { status, path, body, method } = call;
  const [, asked] = /^\/(?:quotes|transactions)\/([^/?]+)$/.exec(path) ?? [];
  const id: unknown = status === NOT_FOUND && method === "GET" ? asked : body?.id;
  if (typeof id !== "string") return undefined;
  const kind = id.split(":")[0] as string;
  if (!COMPARED.includes(kind)) return undefined;
  const kept = world.record(kind, id);
  if (status === NOT_FOUND) return kept && `${called(call)} did not find ${id}`;
  if (status !== OK && status !== CREATED) return undefined;
  if (!kept) return `${called(call)} shows ${id}, which the journal does not have by then`;
  const differs = isOfItsSeq(call) ? difference(kind, body, kept) : undefined;
  return differs && `${called(call)} ${differs} in ${id}`;
};

const wrongBalance = (call: Told, world: ReplayedWorld): string | undefined => {
  if (call.status !== OK || call.method !== "GET") return undefined;
  for (const { id, balance } of call.body?.data ?? []) {
    if (balance === undefined) continue;
    const kept = world.balance(id, balance.currency.code);
    if (BigInt(balance.amount) !== kept)
      return `${called(call)} shows ${balance.amount} in ${id} where the journal has ${kept}`;
  }
  return undefined;
};

/** Each reply shows what the journal gives when it is replayed up to the reply's change. */
export const wrongReplies = ({ calls, worlds }: ClusterHistory): string[] => {
  const found: string[] = [];
  for (const world of worlds) {
    const steps = stepsOf(worlds, world);
    const replayed = new ReplayedWorld();
    const told = calls
      .filter(({ world: name, seq }) => name === world.name && seq !== undefined)
      .sort((a, b) => (a.seq as number) - (b.seq as number));
    let at = 0;
    for (const call of told) {
      const seq = call.seq as number;
      for (; at < steps.length && (steps[at]?.seq as number) <= seq; at += 1)
        replayed.apply(steps[at] as (typeof steps)[number]);
      if (replayed.seq < seq) {
        found.push(`${called(call)} saw a change that the journal does not have`);
        continue;
      }
      const wrong = wrongRecord(call, replayed) ?? wrongBalance(call, replayed);
      if (wrong !== undefined) found.push(wrong);
    }
  }
  return found;
};
