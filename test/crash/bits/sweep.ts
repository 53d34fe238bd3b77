import { cpSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repairState } from "../../../src/storage/file/doctor/repair-state.ts";
import { bytesOf, type Damage, judge, type Outcome, type Whole } from "./judge.ts";
import { type Look, lookOnly, openAll } from "./look.ts";
import { stateOfProcess, watchCalls } from "./pending-calls.ts";
import { filesOf, type SmallState } from "./small-state.ts";

/** Result of damaging the files of one state; everything listed as wrong is a defect. */
export interface SweepReport {
  bits: number;
  cuts: number;
  opened: number;
  repaired: number;
  outcomes: Record<Outcome, number>;
  wrong: string[];
}

/** Choice of damages; a distance of 1 means each of them. */
export interface SweepPlan {
  /** Distance of flipped bits. */
  bitsEach: number;
  /** Distance of cuts, in bytes. */
  cutsEach: number;
  /** Distance of damages after which the state is opened as a simulator does, and repaired. */
  openedEach: number;
  /** Number of the first damage, so that seeds sample different ones. */
  offset: number;
  /** Files that are damaged; all when left out. */
  only?: RegExp;
  look?: Look;
  /** Seconds of a running process in which a damaged state gives an answer; 30 by default. */
  answerSeconds?: number;
}

const ANSWER_SECONDS = 30;
/** Most defects after which a sweep ends. */
const MOST_WRONG = 20;

const flipped = (whole: Buffer, bit: number) => {
  const bytes = Buffer.from(whole);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  return bytes;
};

/** Files that are links to the same bytes, by each of their names. */
const linksIn = (directory: string, files: readonly string[]) => {
  const inodes = files.map((file) => statSync(join(directory, file)).ino);
  return (file: string) => {
    const inode = inodes[files.indexOf(file)];
    return files.filter((_, at) => inodes[at] === inode);
  };
};

type DamagedFile = Pick<Damage, "file" | "names">;

/** Flipped bits, cuts and emptiness of one file. */
function* damagesOf(file: DamagedFile, whole: Buffer, plan: SweepPlan): Generator<Damage> {
  const { bitsEach, cutsEach, offset } = plan;
  for (let bit = offset % bitsEach; bit < whole.length * 8; bit += bitsEach)
    yield { ...file, how: `bit ${bit}`, bytes: flipped(whole, bit) };
  for (let at = 1 + (offset % cutsEach); at < whole.length; at += cutsEach)
    yield { ...file, how: `cut at ${at}`, bytes: whole.subarray(0, at) };
  yield { ...file, how: "cut at 0", bytes: Buffer.alloc(0) };
}

/**
 * Rejects when a damaged state gives no answer. Seconds count while this process runs: a machine
 * that stands still for a while, or gives it no time, is no damage.
 */
const inTime = async <Done>(
  work: Promise<Done>,
  { file, how }: Damage,
  { answerSeconds = ANSWER_SECONDS }: SweepPlan,
): Promise<Done> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    let seconds = 0;
    const tick = () => {
      seconds += 1;
      if (seconds < answerSeconds) return;
      const says = `${how} of ${file} gives no answer in ${answerSeconds} s`;
      reject(new Error(`${says}\n  ${stateOfProcess()}`));
    };
    timer = setInterval(tick, 1_000);
  });
  return Promise.race([work, late]).finally(() => clearInterval(timer));
};

/** Damages the files of one state, one at a time. */
class Sweep {
  readonly report: SweepReport = {
    bits: 0,
    cuts: 0,
    opened: 0,
    repaired: 0,
    outcomes: { refused: 0, healed: 0, equal: 0 },
    wrong: [],
  };
  private readonly state: SmallState;
  private readonly plan: SweepPlan;
  private readonly copy: string;
  private count = 0;

  constructor(state: SmallState, plan: SweepPlan) {
    this.state = state;
    this.plan = plan;
    this.copy = `${state.directory}-copy`;
    this.count = plan.offset;
  }

  async run() {
    const { directory } = this.state;
    const opened = await this.onCopy({ look: openAll });
    const files = filesOf(directory);
    const linksOf = linksIn(directory, files);
    for (const file of files) {
      if (/^lock\.[0-9]+$/.test(file) || this.plan.only?.test(file) === false) continue;
      const bytes = bytesOf(directory, file);
      const seen = await lookOnly(directory, file);
      const { past } = this.state;
      const whole = { bytes, past };
      for (const damage of damagesOf({ file, names: linksOf(file) }, bytes, this.plan)) {
        if (this.report.wrong.length >= MOST_WRONG) return this.report;
        await this.damage(damage, {
          looked: { ...whole, seen },
          opened: { ...whole, seen: opened },
        });
      }
    }
    return this.report;
  }

  private async damage(damage: Damage, { looked, opened }: { looked: Whole; opened: Whole }) {
    const { report, plan } = this;
    const { directory } = this.state;
    const path = join(directory, damage.file);
    if (damage.how.startsWith("bit")) report.bits += 1;
    else report.cuts += 1;
    this.count += 1;
    writeFileSync(path, damage.bytes);
    try {
      const judged = { whole: looked, look: plan.look ?? lookOnly };
      const outcome = await inTime(judge(directory, damage, judged), damage, plan);
      report.outcomes[outcome] += 1;
      if (this.count % plan.openedEach === 0)
        await inTime(this.openAndRepair(damage, opened), damage, plan);
    } catch (error) {
      report.wrong.push((error as Error).message);
    } finally {
      writeFileSync(path, looked.bytes);
    }
  }

  private async openAndRepair(damage: Damage, whole: Whole) {
    const { copy, report } = this;
    report.opened += 1;
    this.makeCopy();
    const outcome = await judge(copy, damage, { whole, look: openAll });
    this.makeCopy();
    const repaired = await repairState(copy);
    if (repaired) report.repaired += 1;
    if (outcome === "refused" && !repaired)
      throw new Error(`${damage.how} of ${damage.file} is refused and the repair finds nothing`);
    await openAll(copy, damage.file).catch((error: Error) => {
      throw new Error(`${damage.how} of ${damage.file} after its repair: ${error.message}`);
    });
  }

  private makeCopy() {
    rmSync(this.copy, { recursive: true, force: true });
    cpSync(this.state.directory, this.copy, { recursive: true });
  }

  private onCopy({ look }: { look: Look }) {
    this.makeCopy();
    return look(this.copy, "");
  }
}

/** Damages each file of a small state in turn, and judges what a reader is given. */
export const sweepState = async (state: SmallState, plan: SweepPlan): Promise<SweepReport> => {
  const unwatch = watchCalls();
  try {
    return await new Sweep(state, plan).run();
  } finally {
    unwatch();
  }
};
