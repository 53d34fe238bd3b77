import { type ClusterHistory, grouped, type KeptWorld, type Step, type Told } from "./history.ts";
import type { Kept } from "./replayed-world.ts";

type Puts = readonly (readonly [string, Kept & { platformCustomerId?: string }])[];

/** Effects of a change that exactly one call may have. */
const marksOf = ({ by, put = [], post = [] }: Step): string[] => {
  const puts = put as Puts;
  const of = (kind: string) => puts.filter(([one]) => one === kind).map(([, record]) => record);
  if (by === "createCustomer")
    return of("Customer").map(({ platformCustomerId }) => `customer:${platformCustomerId}`);
  if (by === "createQuote")
    return of("Quote").map(({ totalSendingMinor }) => `quote:${totalSendingMinor}`);
  if (by === "executeQuote") return of("Quote").map(({ id }) => `execute:${id}`);
  if (by === "transferOut")
    return of("Transaction").map(({ sentMinor }) => `transfer:${sentMinor}`);
  if (by === "fundInternalAccount")
    return post
      .filter(([account]) => account.startsWith("InternalAccount:"))
      .map(([, , minor]) => `fund:${minor}`);
  return [];
};

const HAS_MESSAGE = /it may have been done/;

/** Tells whether a call says that it was done, that it was not, or neither. */
const outcomeOf = ({ status, body }: Told): "done" | "not" | "unknown" => {
  if (status === undefined) return "unknown";
  if (status < 300) return "done";
  if (status < 500) return "not";
  return HAS_MESSAGE.test(JSON.stringify(body ?? "")) ? "unknown" : "not";
};

/** Outcome of all calls with one mark: done if one says so, unknown if one may have been done. */
const outcomeOfAll = (calls: readonly Told[]) => {
  const all = calls.map(outcomeOf);
  return (["done", "unknown"] as const).find((one) => all.includes(one)) ?? "not";
};

const wrongCount = (mark: string, calls: readonly Told[], worlds: readonly string[]) => {
  const outcome = outcomeOfAll(calls);
  const [call] = calls;
  const key = call?.key === undefined ? "without a key" : `with key ${call.key}`;
  const what = `${call?.method} ${call?.path} of ${call?.world} ${key} (${mark})`;
  if (worlds.length > 1) return [`${what} was done ${worlds.length} times`];
  if (worlds.length === 0)
    return outcome === "done" ? [`${what} was acknowledged and is lost`] : [];
  if (outcome === "not") return [`${what} was refused and was done`];
  return worlds[0] === call?.world ? [] : [`${what} was done in ${worlds[0]}`];
};

/**
 * Each acknowledged call was done once, with a key or without; one that was refused was not, and one
 * without an answer at most once.
 */
export const wrongEffects = ({ calls, worlds }: ClusterHistory): string[] => {
  const done = new Map<string, string[]>();
  for (const { name, steps } of worlds)
    for (const step of steps)
      for (const mark of marksOf(step)) done.set(mark, [...(done.get(mark) ?? []), name]);
  const marked = calls.filter(({ mark }) => mark !== undefined);
  return [...grouped(marked, ({ mark }) => mark as string)].flatMap(([mark, told]) =>
    wrongCount(mark, told, done.get(mark) ?? []),
  );
};

/** The journal of each world has every number once, in order. */
export const brokenJournals = ({ worlds }: ClusterHistory): string[] => {
  const brokenIn = ({ name, steps }: KeptWorld) => {
    const at = steps.findIndex(
      ({ seq }, index) => index > 0 && seq !== (steps[index - 1]?.seq ?? 0) + 1,
    );
    return at < 0
      ? []
      : [`the journal of ${name} has change ${steps[at]?.seq} after ${steps[at - 1]?.seq}`];
  };
  return worlds.flatMap(brokenIn);
};

/** The number of a world's owner rises with each owner and never falls. */
export const fallenFences = ({ fences }: ClusterHistory): string[] => {
  const found: string[] = [];
  const last = new Map<string, number>();
  for (const { world, fence, isBorn } of fences) {
    const before = isBorn ? 0 : (last.get(world) ?? 0);
    if (fence <= before) found.push(`the fence of ${world} went from ${before} to ${fence}`);
    last.set(world, fence);
  }
  return found;
};
