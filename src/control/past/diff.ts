import * as z from "zod";
import { Diff, type RecordChange } from "../../contract/control/diff.ts";
import { defined } from "../../contract/core/defined.ts";
import { instant } from "../../domain/core/draft.ts";
import type { Kind, Records } from "../../domain/records/records.ts";
import { redactJson } from "../../http/log/redaction.ts";
import {
  balanceDifferences,
  type RecordDifference,
  recordDifferences,
} from "../../runtime/world-differences.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { stateAt } from "./state-at.ts";

/** Rows of each list; the counts have all. */
const MAX_ROWS = 1000;

/** Kinds that are told otherwise, or that hold no record a person would ask for. */
const UNTOLD: ReadonlySet<Kind> = new Set<Kind>([
  "BulkErrors",
  "BulkRows",
  "Delivery",
  "DeliveryEnd",
  "Event",
  "Replay",
  "Timer",
  "UsedChallenge",
]);

const changeOf = ({
  mine,
  theirs,
}: Pick<RecordDifference, "mine" | "theirs">): RecordChange["change"] => {
  if (mine === undefined) return "added";
  return theirs === undefined ? "removed" : "changed";
};

/** Digests of secrets; those of short ones could be guessed. */
const DIGEST_NAME = /(?:secret|token|code)hash$/i;

/** Members by their path, as in `beneficiary.fullName`; lists are values. */
const membersOf = (value: object, path = ""): [string, unknown][] =>
  Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const at = path === "" ? name : `${path}.${name}`;
    const isObject = typeof member === "object" && member !== null && !Array.isArray(member);
    return isObject ? membersOf(member, at) : [[at, member]];
  });

/** A value without secrets, as the request log shows it. */
const shown = (field: string, value: unknown) => {
  if (value === undefined) return undefined;
  const name = field.split(".").at(-1) ?? field;
  if (DIGEST_NAME.test(name)) return "[redacted]";
  return JSON.parse(redactJson(JSON.stringify({ [name]: value })).text)[name];
};

const fieldsOf = (mine: object | undefined, theirs: object | undefined) => {
  const before = new Map(membersOf(mine ?? {}));
  const after = new Map(membersOf(theirs ?? {}));
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => name !== "id");
  return names
    .filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)))
    .map((field) => ({
      field,
      ...defined({ from: shown(field, before.get(field)), to: shown(field, after.get(field)) }),
    }));
};

const recordRow = (difference: RecordDifference): RecordChange => {
  const { kind, id, mine, theirs } = difference;
  return { kind, id, change: changeOf(difference), fields: fieldsOf(mine, theirs) };
};

const of = <K extends Kind>(all: readonly RecordDifference[], wanted: K) =>
  all.filter(({ kind }) => kind === wanted) as unknown as RecordDifference<K>[];

const dueAt = (timer: Records["Timer"] | undefined) => timer && instant(timer.dueAtMs);

const timerRow = (difference: RecordDifference<"Timer">) => {
  const { mine, theirs } = difference;
  const { name, subject } = (mine ?? theirs) as Records["Timer"];
  const dues = defined({ from: dueAt(mine), to: dueAt(theirs) });
  return { timer: name, subject, change: changeOf(difference), ...dues };
};

const webhookRow = (difference: RecordDifference<"Delivery">) => {
  const { id, mine, theirs } = difference;
  const { type, about } = (mine ?? theirs) as Records["Delivery"];
  const states = defined({ about, from: mine?.state, to: theirs?.state });
  return { id, type, change: changeOf(difference), ...states };
};

const sideOf = (ref: string, state: WorldState) => ({
  ref,
  at: instant(Math.max(state.atMs, state.clock?.instantMs ?? 0)),
  records: state.recordCount(),
});

/** Differences of two states, each named by a reference. */
const diffOf = (
  [fromRef, from]: readonly [string, WorldState],
  [toRef, to]: readonly [string, WorldState],
): Diff => {
  const all = recordDifferences(from, to);
  const records = all.filter(({ kind }) => !UNTOLD.has(kind));
  const balances = balanceDifferences(from, to);
  const timers = of(all, "Timer");
  const webhooks = of(all, "Delivery");
  return {
    from: sideOf(fromRef, from),
    to: sideOf(toRef, to),
    records: records.slice(0, MAX_ROWS).map(recordRow),
    balances: balances.slice(0, MAX_ROWS).map(({ account, currency, mine, theirs }) => ({
      account,
      currency,
      from: Number(mine),
      to: Number(theirs),
    })),
    timers: timers.slice(0, MAX_ROWS).map(timerRow),
    webhooks: webhooks.slice(0, MAX_ROWS).map(webhookRow),
    counts: {
      records: records.length,
      balances: balances.length,
      timers: timers.length,
      webhooks: webhooks.length,
    },
  };
};

const NOW = "now";

/** Differences of two states (spec/snapshots.md#differences). */
export const diffEndpoints = [
  endpoint({
    operationId: "diff",
    summary: "Compare two states: world:x, snapshot:x, an instant or now",
    method: "GET",
    path: "/diff",
    query: { from: z.string(), to: z.string().optional() },
    replies: [200, Diff],
    refuses: [
      "SNAPSHOT_NOT_FOUND",
      "WORLD_NOT_FOUND",
      "INVALID_INSTANT",
      "TIME_AHEAD",
      "BEFORE_HORIZON",
    ],
    handle: async ({ query: { from, to = NOW } }, call, world) => {
      const one = await stateAt(world, from);
      const other = await stateAt(world, to);
      call.sawEverything();
      return diffOf([from, one], [to, other]);
    },
  }),
];
