import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repairState } from "../../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../../src/storage/file/doctor/state-check.ts";
import type { OpenWorld } from "../../../src/storage/open-world.ts";
import { turns } from "../../runtime/setup/random-world.ts";
import { abandon } from "../../storage/setup/disk-world.ts";
import { openSmallState, scratchFolder, textOf } from "../bits/small-state.ts";
import { type FaultKind, FaultLayer } from "./fault-layer.ts";
import { SteppedTimers } from "./stepped-timers.ts";
import { type Answers, noAnswers, WORKLOAD } from "./workload.ts";

/** Result of one history with one fault; everything listed as wrong is a defect. */
export interface FaultReport {
  /** Calls that the fault could have struck. */
  made: number;
  struck: number;
  /** Acts that were answered and acts that were refused. */
  answered: number;
  refused: number;
  wrong: string[];
}

/** Turns of the event loop until a world that lost its disk writes again, syncs included. */
const MOST_TURNS = 20_000;

const open = (directory: string, layer: FaultLayer) =>
  openSmallState(directory, {
    fsync: true,
    checkpointAfterBytes: 900,
    files: layer.files,
    folders: layer.folders,
  });

const isDone = () => true;

/** One history of acts with a fault in it, over two runs of a simulator. */
class FaultRun {
  private readonly directory: string;
  private readonly kind: FaultKind;
  private readonly layer: FaultLayer;
  private readonly answers: Answers = noAnswers();
  private readonly timers = new SteppedTimers();
  private readonly report: FaultReport = { made: 0, struck: 0, answered: 0, refused: 0, wrong: [] };

  constructor(directory: string, { kind, layer }: { kind: FaultKind; layer: FaultLayer }) {
    this.directory = directory;
    this.kind = kind;
    this.layer = layer;
  }

  async run(): Promise<FaultReport> {
    const { layer, report, timers } = this;
    try {
      await this.live(0);
      if (!(this.kind.halts && layer.struck > 0)) await this.live(1);
      layer.heal();
      await layer.cutPower();
      this.unlock();
      await this.check();
    } catch (error) {
      report.wrong.push(String((error as Error).stack));
    } finally {
      timers.restore();
    }
    const { made, struck } = layer;
    return { ...report, made, struck };
  }

  /** One run of a simulator: the first stops cleanly if its disk lets it, the other is killed. */
  private async live(life: 0 | 1) {
    const { directory, layer, report } = this;
    const world = await open(directory, layer).catch(() => undefined);
    if (!world) {
      report.refused += 1;
      return;
    }
    if (world.isNew) world.reset();
    await this.act(world, life);
    const isStopped = life === 0 && (await world.close().then(isDone, () => false));
    if (!isStopped) await abandon(world, directory);
  }

  private async act(world: OpenWorld, life: 0 | 1) {
    const { report, answers, layer, kind } = this;
    for (const [at, step] of WORKLOAD.entries()) {
      try {
        await step(world, answers, life * WORKLOAD.length + at);
        report.answered += 1;
      } catch {
        report.refused += 1;
        // A fault that stays ends after two thirds of the history.
        if (kind.stays && at > WORKLOAD.length * 0.6) layer.heal();
      }
      await this.untilWritable(world);
      if (kind.halts && layer.struck > 0) return;
    }
    await turns(5);
  }

  private async untilWritable({ engine }: OpenWorld) {
    if (this.kind.stays) return turns(5).then(() => this.timers.fire());
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      if (engine.isWritable || engine.stopped) return;
      await turns(1);
      this.timers.fire();
    }
    this.report.wrong.push("the world took no writes after the fault");
  }

  private unlock() {
    for (const name of readdirSync(this.directory).filter((one) => one.startsWith("lock.")))
      rmSync(join(this.directory, name));
  }

  private async check() {
    const { directory, report } = this;
    const { damage, lost, wrong, damagedFolders } = await checkState(directory);
    if (damage || lost || wrong || damagedFolders.length > 0)
      report.wrong.push(
        `damage was left: ${JSON.stringify({ damage, lost, wrong, damagedFolders })}`,
      );
    const repaired = await repairState(directory);
    if (repaired?.changes.some((one) => one.includes("is lost")) || (repaired?.givenUp ?? 0) > 0)
      report.wrong.push(`a repair gave up ${JSON.stringify(repaired)}`);
    const world = await openSmallState(directory);
    try {
      await this.compare(world);
    } finally {
      await world.close();
    }
  }

  private async compare({ engine, points, others }: OpenWorld) {
    const { answers, report, directory } = this;
    const isThere = (id: string) => engine.state.get("Customer", id) !== undefined;
    for (const id of answers.kept)
      if (!isThere(id)) report.wrong.push(`${id} was acknowledged and is lost`);
    for (const id of answers.refused)
      if (isThere(id) && !this.mayStay) report.wrong.push(`${id} was refused and is there`);
    for (const [name, text] of answers.snapshots) {
      const state = await points.load(name);
      const found = state && textOf(state);
      const mayBe = this.kind.stays && answers.unsaved.has(found ?? "");
      if (found !== text && !mayBe)
        report.wrong.push(`the snapshot ${name} was acknowledged and is lost or different`);
    }
    const names = (await others?.list())?.worlds.map(({ name }) => name) ?? [];
    for (const name of answers.worlds)
      if (!names.includes(name))
        report.wrong.push(`the world ${name} was acknowledged and is lost`);
    for (const name of answers.unforked)
      if (names.includes(name) && !this.kind.stays)
        report.wrong.push(`the world ${name} was refused and is there`);
    for (const sha256 of answers.files)
      if (!existsSync(join(directory, "files", `${sha256}.bin`)))
        report.wrong.push(`the file ${sha256} was acknowledged and is lost`);
  }

  /** A write whose cut fails too may stay: the world has said that it stopped. */
  private get mayStay() {
    return this.kind.strikes.includes("journal truncate");
  }
}

/** Runs the history with a fault at one call, and compares what a start finds afterwards. */
export const runFault = async (
  kind: FaultKind,
  at: number,
  layer = new FaultLayer(kind, at),
): Promise<FaultReport> => {
  const root = scratchFolder();
  try {
    return await new FaultRun(join(root, "state"), { kind, layer }).run();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

/** Calls of the whole history that a kind of fault can strike. */
export const callsOf = async (kind: FaultKind): Promise<number> =>
  (await runFault(kind, Number.POSITIVE_INFINITY)).made;
