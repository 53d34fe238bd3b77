import type { RewindInput } from "../../contract/control/rewind.ts";
import { instant } from "../../domain/core/draft.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { Kind, TimerRecord } from "../../domain/records/records.ts";
import { KINDS } from "../../domain/records/tables.ts";
import type { Change } from "../../runtime/change.ts";
import { HISTORY_DEPTH } from "../../runtime/history.ts";
import type { PastPoint } from "../../runtime/past/restore-points.ts";
import type { RewindTarget } from "../../runtime/past/timelines.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { findPresentId } from "../core/present-ids.ts";
import type { World } from "../core/world.ts";
import { absenceSentence } from "../why/requests.ts";
import { isInstant } from "./instants.ts";

/** Changes that are nobody's act: the simulator's own bookkeeping. */
const NOT_ACTS: ReadonlySet<string> = new Set([
  "advance",
  "open",
  "poison",
  "restore",
  "rewind",
  "start",
  "storage",
  "webhook.attempt",
  "webhook.retry",
]);

/** Whether a request or a timer made a change. */
export const isAct = ({ by }: Change) => !NOT_ACTS.has(by);

const isRequest = (cause: string) => cause.startsWith("req-");

interface ResolvedTarget {
  target: RewindTarget;
  state: WorldState;
}

/** Finds the point that a rewind goes back to, and the world as it was there. */
export const rewindTarget = (world: World, input: RewindInput): Promise<ResolvedTarget> => {
  if (input.before !== undefined) return beforeId(world, input.before);
  const nowMs = world.engine.clock.now();
  if (input.by !== undefined) {
    const details = { field: "by", value: input.by };
    const next = "service-sim rewind 10m";
    const byMs = parseDuration(input.by) ?? refuse("INVALID_DURATION", details, { next });
    return atInstant(world, nowMs - byMs);
  }
  const value = input.to ?? "";
  if (!isInstant(value)) return refuse("INVALID_INSTANT", { field: "to", value });
  const toMs = Date.parse(value);
  if (toMs > nowMs) return refuse("TIME_AHEAD", { field: "to", value, now: instant(nowMs) });
  return atInstant(world, toMs);
};

const beyond = ({ timelines: past }: World, value: string): never =>
  refuse("BEFORE_HORIZON", { value, earliest: instant(past.earliest().atMs) });

const atInstant = async (world: World, atMs: number): Promise<ResolvedTarget> => {
  const { timelines: past } = world;
  const seq = past.undoPoints.seqAt(atMs);
  const point = seq === undefined ? { atMs } : { seq: past.undoPoints.outsideGroup(seq) };
  const state = await past.at(point);
  return state ? { state, target: { seq: state.seq, atMs } } : beyond(world, instant(atMs));
};

const isOf = (id: string) => {
  const puts = ([, record]: readonly [Kind, { id: string }]) => record.id === id;
  return ({ put = [], emit = [] }: Change) =>
    put.some(puts) || emit.some((event) => event.id === id);
};

/** The first change of a request, or of the act that made a change. */
const firstOf = (changes: readonly Change[], { cause, seq }: Change) =>
  isRequest(cause) ? (changes.find((change) => change.cause === cause)?.seq ?? seq) : seq;

/** Goes back to before an act: nothing is due there, or it would happen again at once. */
const beforeChange = async (
  world: World,
  seq: number,
  { shown, changes }: { shown: string; changes: readonly Change[] },
): Promise<ResolvedTarget> => {
  const { timelines: past } = world;
  const first = changes.find((change) => change.seq === seq);
  for (let at = past.undoPoints.outsideGroup(seq - 1); ; at -= 1) {
    const state = await past.at({ seq: at });
    if (!state) return beyond(world, shown);
    const due = state.nextTimer();
    if (due && due.dueAtMs <= state.atMs && at > past.earliest().seq) continue;
    // Where a request came at a later instant than the change before it, the clock stands there.
    const isAsked = first !== undefined && isRequest(first.cause) && first.seq === at + 1;
    const atMs = isAsked ? Math.max(state.atMs, first.at) : state.atMs;
    return { state, target: { seq: state.seq, atMs } };
  }
};

/** Finds a point among changes; nothing when they do not tell. */
type FindIn = (changes: readonly Change[]) => Promise<ResolvedTarget> | undefined;

/** Looks among the changes in memory first: storage has more, and reading it takes longer. */
const findAmong = async (world: World, find: FindIn): Promise<ResolvedTarget | undefined> => {
  const { timelines: past } = world;
  return (await find(past.changesAfter(0))) ?? (await find(await past.changesSince(0)));
};

const beforeLast = async (world: World): Promise<ResolvedTarget> => {
  const target = await findAmong(world, (changes) => {
    const last = changes.findLast(isAct);
    const shown = { shown: last?.cause ?? "", changes };
    return last && beforeChange(world, firstOf(changes, last), shown);
  });
  return (
    target ?? refuse("NOTHING_TO_UNDO", { earliest: instant(world.timelines.earliest().atMs) })
  );
};

const beforeId = async (world: World, text: string): Promise<ResolvedTarget> => {
  if (text === "last") return beforeLast(world);
  const target = await findAmong(world, (changes) => {
    const shown = { shown: text, changes };
    const first = changes.find(({ cause }) => cause === text);
    if (isRequest(text)) return first && beforeChange(world, first.seq, shown);
    // A timer that was set again counts by its last setting.
    const timer = changes.findLast(({ put = [] }) =>
      put.some(([kind, record]) => kind === "Timer" && isNamed(record as TimerRecord, text)),
    );
    return timer && beforeChange(world, firstOf(changes, timer), shown);
  });
  if (target) return target;
  if (isRequest(text)) return atRequest(world, text);
  const changes = world.timelines.changesAfter(0);
  const id = changes.some(isOf(text)) ? text : findPresentId(world, text);
  return beforeChange(world, await firstSeqOf(world, id), { shown: id, changes });
};

/** Whether a text is the id of a timer: whole, or with a short id as the list of timers takes it. */
const isNamed = ({ id, name, subject }: TimerRecord, text: string) => {
  if (id === text) return true;
  const [called, about] = text.split("@");
  return called === name && about !== undefined && about.length > 3 && subject.endsWith(about);
};

/** The change that put a record first; refused when it is older than everything kept. */
const firstSeqOf = async (world: World, id: string): Promise<number> => {
  const { timelines: past, engine } = world;
  const [entry, ...more] = engine.state.history.of(id);
  if (entry && more.length + 1 < HISTORY_DEPTH) return entry.seq;
  const firstChange = (await past.changesSince(0)).find(isOf(id));
  const oldest = await past.at({ seq: past.earliest().seq });
  const isOlder = oldest !== undefined && KINDS.some((kind) => oldest.get(kind, id) !== undefined);
  return firstChange && !isOlder ? firstChange.seq : beyond(world, id);
};

/** Goes back to where a request that changed nothing was answered. */
const atRequest = async (world: World, id: string): Promise<ResolvedTarget> => {
  const { log, timelines: past } = world;
  const request = log.find(id);
  const seq = log.seqOf(id);
  if (!request || (seq === undefined && request.undone))
    return refuse("ID_NOT_FOUND", { id }, absenceSentence(world, id));
  const point: PastPoint = seq === undefined ? { atMs: request.atMs } : { seq };
  const state = await past.at(point);
  if (!state) return beyond(world, id);
  return { state, target: { seq: state.seq, atMs: Math.max(state.atMs, request.atMs) } };
};
