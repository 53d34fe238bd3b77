import { setTimeout as pause } from "node:timers/promises";
import type { Change } from "../../../src/runtime/change.ts";
import { type RunningCli, Workplace, waitUntil } from "../../setup/cli.ts";
import { type Chance, chanceOf } from "../../simulation/setup/chance.ts";
import { Acknowledged } from "./acknowledged.ts";
import { Client, type Shared } from "./client.ts";
import { changesIn, deliverableEvents, failingReceiver, missingCredits } from "./kill-campaign.ts";
import { MOMENTS, type Moment } from "./moments.ts";
import { SideWorld } from "./side-world.ts";

/** Result of kills; everything listed as wrong is a defect. */
export interface KillReport {
  kills: number;
  byMoment: Record<string, number>;
  acknowledged: number;
  /** Repetitions of calls with a key that got the first answer. */
  replays: number;
  events: number;
  attempts: number;
  longestRestartMs: number;
  wrong: string[];
}

/** Kills of one state directory. */
export interface KillPlan {
  seed: number;
  kills: number;
  /** Options of the starts before and after each kill, in turn; none by default. */
  options?: readonly string[];
  /** Variables of the simulator's process, for planted bugs. */
  env?: Record<string, string>;
  /** Name of the only moment; all in turn when left out. */
  moment?: string;
  /** Kills only when payments were acknowledged and a webhook was refused. */
  isBusy?: true;
}

/** Sentence of a start that finds a run which did not stop cleanly. */
const TELLS_KILL = /the last run did not stop cleanly: the last change read is number [0-9]+, of /;

const CLIENTS = 3;
/** Prime to the number of moments, so that a seed meets them in an order of its own. */
const STRIDE = 7;

/** One state directory that is killed and restarted until its kills are made. */
class KilledState {
  readonly report: KillReport = {
    kills: 0,
    byMoment: {},
    acknowledged: 0,
    replays: 0,
    events: 0,
    attempts: 0,
    longestRestartMs: 0,
    wrong: [],
  };
  private readonly plan: KillPlan;
  private readonly chance: Chance;
  private readonly place = new Workplace();
  private readonly shared: Shared;
  /** Number of the kill whose starts are made. */
  private life = 0;
  /** Changes of the default world by their number, which no kill may lower. */
  private readonly changes = new Map<number, Change>();
  private readonly webhooks: Awaited<ReturnType<typeof failingReceiver>>;

  constructor(plan: KillPlan, webhooks: Awaited<ReturnType<typeof failingReceiver>>) {
    this.plan = plan;
    this.webhooks = webhooks;
    this.chance = chanceOf(plan.seed);
    const acknowledged = new Acknowledged();
    this.shared = { acknowledged, longSteps: 0, prefix: `k${plan.seed}`, keys: 0 };
  }

  async run() {
    try {
      for (let kill = 0; kill < this.plan.kills; kill += 1) {
        this.life = kill;
        await this.kill(kill);
      }
      // A defect was found: more of it would be found.
      if (this.report.wrong.length === 0) await this.settle();
    } catch (error) {
      this.report.wrong.push(String((error as Error).stack ?? error));
    } finally {
      await this.place.close();
    }
    return this.report;
  }

  private get directory() {
    return this.place.file("state");
  }

  private get start() {
    const { options = [""] } = this.plan;
    const own = options[this.life % options.length];
    const { url } = this.webhooks.receiver;
    return `--storage file:state --clock manual --seed kills --webhook-endpoint ${url} ${own}`;
  }

  private get given() {
    const { env } = this.plan;
    return { ...(env && { env }) };
  }

  private momentOf(kill: number): Moment {
    const { moment, seed } = this.plan;
    const own = MOMENTS.find(({ name }) => name === moment);
    return own ?? (MOMENTS[(seed + kill * STRIDE) % MOMENTS.length] as Moment);
  }

  private async kill(kill: number) {
    const moment = this.momentOf(kill);
    const side = new SideWorld(`side-${kill}`);
    moment.prepare?.(this.directory);
    if (moment.isStart) await this.killStart(moment);
    else await this.killRunning(kill, { moment, side });
    this.report.kills += 1;
    this.report.byMoment[moment.name] = (this.report.byMoment[moment.name] ?? 0) + 1;
    this.noteChanges();
    const cli = await this.restart();
    await this.check(cli, side);
    if (!moment.isStop && !(moment.isStart && kill === 0)) this.requireTold(cli);
    await cli.stop("SIGKILL");
  }

  /** A start behind a kill says up to where it has read. */
  private requireTold({ started: { errors } }: RunningCli) {
    if (!TELLS_KILL.test(errors))
      this.report.wrong.push(`a kill is not told by the start after it: ${errors}`);
  }

  private async killStart({ withinMs }: Moment) {
    const started = this.place.command(`start --port 0 --json ${this.start}`, this.given);
    await pause(1 + this.chance.below(withinMs));
    await started.kill("SIGKILL");
  }

  private async killRunning(kill: number, { moment, side }: { moment: Moment; side: SideWorld }) {
    const { chance, shared, directory } = this;
    const cli = await this.place.start(this.start, this.given);
    side.begin(cli);
    const scene = { cli, chance, acknowledged: shared.acknowledged, side, directory, kill };
    await moment.ready?.(scene);
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      new Client(chanceOf(this.plan.seed * 1_000 + kill * CLIENTS + at), shared).run(
        cli,
        () => isOver,
      ),
    );
    if (this.plan.isBusy) await waitUntil("payments and a refused webhook", () => this.isBusy);
    const waitMs = 1 + chance.below(moment.withinMs);
    const acting = moment.act?.(scene);
    if (moment.name === "checkpoint") await acting;
    if (moment.isStop) await pause(chance.below(100));
    const stopping = moment.isStop ? cli.stop() : undefined;
    await pause(waitMs);
    await cli.stop("SIGKILL");
    isOver = true;
    await Promise.all([...clients, acting, stopping]);
  }

  /** Whether the last answer of the receiver was a refusal, and payments were acknowledged. */
  private get isBusy() {
    const { receiver, accepted } = this.webhooks;
    const last = receiver.received.at(-1);
    const isRefused = last !== undefined && !accepted.has(last.id);
    return isRefused && this.shared.acknowledged.executed.length > 1;
  }

  /** Starts on the state as the kill left it and measures the time until it is ready. */
  private async restart(): Promise<RunningCli> {
    const startedMs = performance.now();
    const cli = await this.place.start(this.start, this.given);
    const tookMs = Math.round(performance.now() - startedMs);
    this.report.longestRestartMs = Math.max(this.report.longestRestartMs, tookMs);
    return cli;
  }

  private async check(cli: RunningCli, side: SideWorld) {
    const { acknowledged } = this.shared;
    this.report.wrong.push(...(await acknowledged.missing(cli, this.directory)));
    this.report.wrong.push(...(await side.wrong(cli)), ...this.lostChanges());
  }

  /** Remembers the changes of the journal, before a checkpoint may replace it. */
  private noteChanges() {
    for (const change of wholeChangesIn(this.directory)) this.changes.set(change.seq, change);
  }

  /** Changes that were on disk before a restart and are not there after it. */
  private lostChanges(): string[] {
    const there = wholeChangesIn(this.directory);
    const begin = there[0]?.seq ?? 0;
    const found = new Map(there.map((change) => [change.seq, JSON.stringify(change)]));
    return [...this.changes.values()]
      .filter(({ seq }) => seq >= begin)
      .filter((change) => found.get(change.seq) !== JSON.stringify(change))
      .map(({ seq, by }) => `change ${seq} by ${by} was on disk and is lost`);
  }

  /** The receiver recovers, everything due happens, and everything is compared once more. */
  private async settle() {
    const { report, shared, webhooks } = this;
    const { acknowledged } = shared;
    const cli = await this.restart();
    acknowledged.forgetChecks();
    await this.check(cli, new SideWorld("none"));
    report.replays = acknowledged.keyed.length;
    await this.checkMoney(cli);
    webhooks.recover();
    const advance = { by: "8d", budgetMs: 600_000 };
    const { body } = await cli.control("POST", "/clock/advance", advance);
    if (body.complete !== true || body.open !== 0)
      report.wrong.push(`an advance of 8d ended with complete ${body.complete}, open ${body.open}`);
    await this.checkJobs(cli);
    await cli.stop();
    this.noteChanges();
    const changes = [...this.changes.values()];
    for (const account of missingCredits(changes, acknowledged.funded))
      report.wrong.push(`a credit to ${account}`);
    const events = deliverableEvents(changes);
    for (const id of events)
      if (!webhooks.accepted.has(id)) report.wrong.push(`the event ${id} was never accepted`);
    report.acknowledged = acknowledged.count;
    report.events = events.length;
    report.attempts = webhooks.receiver.received.length;
  }

  private async checkMoney(cli: RunningCli) {
    const { body } = await cli.control("GET", "/ledger");
    for (const [currency, total] of Object.entries(body.totals))
      if (total !== 0) this.report.wrong.push(`all balances in ${currency} sum to ${total}`);
  }

  private async checkJobs(cli: RunningCli) {
    for (const { jobId, rows } of this.shared.acknowledged.jobs) {
      const { body } = await cli.call("GET", `/customers/bulk/jobs/${jobId}`);
      if (body.status !== "COMPLETED" || body.progress.successful !== rows)
        this.report.wrong.push(`the job ${jobId} is ${JSON.stringify(body)}`);
    }
  }
}

/** Changes of the journal without an unfinished record or group at its end. */
const wholeChangesIn = (directory: string): Change[] => {
  const changes = changesIn(directory);
  const last = changes.findLastIndex(({ seq, upTo }) => upTo === undefined || upTo <= seq);
  return changes.slice(0, last + 1);
};

/** Kills a built simulator at moments that chance picks, and checks each restart. */
export const runKills = async (plan: KillPlan): Promise<KillReport> => {
  const webhooks = await failingReceiver(chanceOf(plan.seed + 1_000_000));
  try {
    return await new KilledState(plan, webhooks).run();
  } finally {
    await webhooks.receiver.stop();
  }
};
