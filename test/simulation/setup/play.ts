import type { WorldState } from "../../../src/runtime/world-state.ts";
import { advanceCall } from "./advance-call.ts";
import { must } from "./breach.ts";
import type { Call } from "./call.ts";
import type { Counts } from "./counts.ts";
import { checkIndexes, openCount } from "./engine-checks.ts";
import { History } from "./history.ts";
import { tighten } from "./history-options.ts";
import { STEPS } from "./history-steps.ts";
import { pickWeighted, prepare } from "./next-call.ts";
import type { Product } from "./product.ts";
import { recover, settleCutOff } from "./recovery.ts";
import { checkRows } from "./watched-rows.ts";

/** A history that broke a rule: how to see it again. */
export class BrokenHistory extends Error {
  override readonly name = "BrokenHistory";
  readonly seed: number;
  readonly step: number;
  readonly rule: string;

  constructor(
    at: { seed: number; step: number; steps: readonly string[]; without: ReadonlySet<number> },
    cause: Error,
  ) {
    const without = at.without.size > 0 ? ` --without ${[...at.without].sort().join(",")}` : "";
    super(
      `seed ${at.seed}, step ${at.step}: ${cause.message}\n` +
        `  last steps: ${at.steps.slice(-20).join(", ")}\n` +
        `  again with: npm run simulate -- --seed ${at.seed} --step ${at.step}${without}`,
      { cause },
    );
    this.seed = at.seed;
    this.step = at.step;
    this.rule = cause.message;
  }
}

/** Parts that are left out of a history, to make it shorter. */
export interface Shorter {
  /** Steps after which it ends. */
  steps?: number;
  /** Steps that are left out. */
  without?: ReadonlySet<number>;
}

/** One step, with draws of its own: leaving out another one changes none of them. */
const playStep = async (history: History, step: number): Promise<string> => {
  const { chance } = history;
  chance.begin(history.seed * 1_000 + step);
  const weighted = STEPS.map((one) => [one.weight(history), one] as const);
  const picked = pickWeighted(weighted, chance);
  await picked.run(history);
  await history.letBe();
  while (history.disk.isKilled) {
    await recover(history, history.swarm.powerCuts && chance.oneIn(2) ? "power" : "kill");
    await history.letBe();
  }
  history.check();
  await checkRows(history);
  return picked.name;
};

const isHolding = (history: History, name: string) =>
  [...history.world(name).engine.state.each("Delivery")].some(({ state }) => state === "HELD");

const releaseCall = (world: string): Call => ({
  surface: "control",
  world,
  operation: "liftWebhookTroubles",
  method: "DELETE",
  path: "/webhooks/troubles",
  expects: [200],
});

/** Every payment and refund has ended, unless an operator took its timer away. */
const checkEnds = (state: WorldState) => {
  for (const record of state.each("Transaction")) {
    const refund = record.type === "OUTGOING" ? record.refund?.status : undefined;
    must(refund !== "PENDING", () => `the refund of ${record.id} is PENDING forever`);
    must(record.status !== "PROCESSING", () => `${record.id} is PROCESSING forever`);
  }
};

/** Everything works again: each open event must end, and what clients were told must be there. */
const end = async (history: History) => {
  const { receivers, disk } = history;
  disk.lift();
  disk.killAfter(0);
  receivers.recover();
  await history.settle();
  await history.writable();
  if (history.hasStopped() || disk.isKilled) await recover(history, "kill");
  // A start may have been cut off in turn; nothing is from here on.
  while (disk.isKilled) await recover(history, "kill");
  disk.killAfter(0);
  await settleCutOff(history);
  await history.settle();
  for (const name of history.tracked.keys()) {
    // What a trouble holds back would be open forever.
    if (history.world(name).engine.state.count("Trouble") > 0 || isHolding(history, name))
      await history.ask(releaseCall(name));
    const report = await history.ask(advanceCall(name, "8d"));
    const { engine } = history.world(name);
    const { forwarded, timersTaken = false } = history.of(name).model;
    const open = openCount(engine.state);
    must(report?.complete === true, () => `the last advance of ${name} is not complete`);
    // Without its timer a retry waits for a person.
    must(
      open === 0 || timersTaken,
      () => `the last advance of ${name} is complete, and ${open} are open`,
    );
    for (const { id, state, attemptCount } of engine.state.each("Delivery"))
      must(
        state !== "ACCEPTED" || attemptCount === 0 || receivers.told.has(id) || id in forwarded,
        () => `${id} was accepted by nobody`,
      );
    checkIndexes(engine.state);
    if (!timersTaken) checkEnds(engine.state);
  }
  history.check();
  await checkRows(history, { byPages: true });
};

/**
 * Plays one history.
 * @throws BrokenHistory naming the broken rule
 */
export const playHistory = async (
  product: Product,
  seed: number,
  { counts, shorter = {} }: { counts: Counts; shorter?: Shorter },
) => {
  const history = new History(product, seed, counts);
  const names: string[] = [];
  let step = 0;
  const restore = tighten(product, history.swarm);
  try {
    await history.open();
    history.track("sandbox");
    if (!history.chance.oneIn(4)) await prepare(history);
    const steps = Math.min(history.swarm.steps, shorter.steps ?? Number.POSITIVE_INFINITY);
    for (step = 1; step <= steps; step += 1)
      if (!shorter.without?.has(step)) names.push(await playStep(history, step));
    history.chance.begin(seed * 1_000);
    await end(history);
    counts.trace = (counts.trace * 31 + history.trace) >>> 0;
  } catch (error) {
    const { without = new Set() } = shorter;
    throw new BrokenHistory({ seed, step, steps: names, without }, error as Error);
  } finally {
    restore();
    await history.abandon();
    counts.histories += 1;
    counts.steps += names.length;
    counts.turns += history.host.turns;
    counts.choices += history.host.choices;
  }
};
