import type { SeedProgress, SeedReport } from "../../contract/control/seed.ts";
import { defined } from "../../contract/core/defined.ts";
import type { Fixture } from "../../contract/platform/fixtures.ts";
import type { Generate } from "../../contract/platform/generate.ts";
import { digestHex } from "../../crypto/digest.ts";
import { canonicalJson } from "../../domain/core/canonical-json.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { revisionOf } from "../../domain/core/revision.ts";
import type { ClockState } from "../../runtime/clock.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { Timelines } from "../../runtime/past/timelines.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import { reopen, type StartState } from "../../runtime/reopening.ts";
import { isUnavailable } from "../../runtime/store-unavailable.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import type { FixtureFile } from "../../scripts/script-files.ts";
import { ScriptProblem } from "../../scripts/script-problem.ts";
import {
  type KeptWorld,
  type OpenWorld,
  WorldExists,
  type WorldOptions,
} from "../../storage/open-world.ts";
import { readFixture, storeFixture } from "../../storage/world/kept-fixture.ts";
import { type GenerationHooks, generateInto, requireGeneratable } from "./generate-run.ts";
import { DryRun } from "./seed-dry-run.ts";
import type { SeedTarget } from "./seed-run.ts";
import { runFixture } from "./seed-run.ts";

/** Name of a world without a fixture. */
const NO_FIXTURE = "default";

/** Hashes the content of a fixture, which decides whether a start gives the same one again. */
const hashOf = ({ steps, config, rates, limits, approvals, troubles, generate }: Fixture) =>
  digestHex(
    canonicalJson({ steps, config, rates, approvals, ...defined({ limits, troubles, generate }) }),
  );

const HASH_OF_NONE = hashOf({ name: NO_FIXTURE, steps: [] });

const OVERTAKEN = "it was reset or reloaded while records were made, and those are gone with it";

/** A fixture is tried again when the world moved meanwhile, up to this often. */
const MAX_DRY_RUNS = 5;

/**
 * Refuses a start that gives another fixture than the one its state began with.
 * @throws WorldExists that names both
 */
export const requireSameFixture = async (fixture: Fixture, { items, place }: KeptWorld) => {
  const kept = await readFixture(items);
  const hash = kept?.hash ?? HASH_OF_NONE;
  if (hashOf(fixture) === hash) return;
  const name = kept?.fixture.name ?? NO_FIXTURE;
  const other = fixture.name === name ? "other content under that name" : fixture.name;
  throw new WorldExists(
    `Expected --fixture ${name}, which the state in ${place} began with, but found ${other}`,
  );
};

/** The clock of a beginning, as far on as the clock steps of its fixture have moved it. */
const steppedOn = (
  { mode, offsetMs, instantMs }: ClockState,
  { clock }: WorldState,
): ClockState => {
  const steppedMs = clock === undefined ? 0 : clock.instantMs - instantMs;
  const isReal = mode === "real";
  return {
    mode,
    offsetMs: isReal ? offsetMs + steppedMs : 0,
    instantMs: instantMs + steppedMs,
  };
};

export interface SeedParts {
  world: OpenWorld;
  /** The options that the world was opened with. */
  options: WorldOptions;
  /** Serves a copy of the world to the fixture alone; it sends nothing. */
  trial(dryRun: DryRun): SeedTarget;
  /** Name of the fixture of the world that it was forked from. */
  fixture?: string;
  /** The states that the world can go back to. */
  past(): Timelines;
  /** Closes the simulator that serves the world. */
  close(): Promise<void>;
  /** Ends what continues in the world: it is about to be dropped. */
  leave(): void;
  /** Does work that no coverage counts (spec/coverage.md#fixtures). */
  uncounted<Result>(work: () => Result): Result;
  /** Resolves when every webhook that may be sent was attempted; how many were. */
  deliver(): Promise<number>;
}

/** The world that a fixture is put into: as it is, or as a reset would leave it. */
interface Into {
  atStart: boolean;
  /** Whether clock steps wait for their webhooks, as an advance does, once it is all in. */
  delivers: boolean;
  /** Done when the fixture went well and is about to be put in. */
  before?: () => Promise<void>;
}

/** A fixture that is in: what is still awaited before anyone is told. */
interface PutIn {
  report: SeedReport;
  durable: Promise<void> | undefined;
  delivered: Promise<void> | undefined;
}

/**
 * Puts fixtures into a world. Each is tried on a copy, and its changes are then adopted in one
 * step, so that no caller sees half of it. The fixture that a world started with is kept, and a
 * reset puts it in again.
 */
export class SeededWorld {
  private readonly parts: SeedParts;
  private fixture: Fixture | undefined;
  /** The world as the fixture left it when it last began, if it could begin like that again. */
  private begun: (StartState & { key: string; hasClockSteps: boolean }) | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private making: SeedProgress | undefined;

  constructor(parts: SeedParts) {
    this.parts = parts;
  }

  /** The fixture it started with, which a reset puts in again. */
  get startFixture() {
    return this.fixture;
  }

  /** Name of the fixture it started with. */
  get name() {
    return this.fixture?.name ?? this.parts.fixture ?? NO_FIXTURE;
  }

  /**
   * Opens a new world with a fixture; one that exists continues.
   * @throws StateDamage, ScriptTextError; nothing was changed then, and the simulator is closed;
   *   LeftAside
   */
  async open(file: FixtureFile | undefined) {
    try {
      await this.openWith(file?.fixture);
    } catch (error) {
      this.parts.world.giveUp(error);
      await this.parts.close();
      throw file && error instanceof ScriptProblem ? file.located(error) : error;
    }
  }

  private async openWith(newFixture: Fixture | undefined) {
    const { isNew } = this.parts.world;
    // Nothing is kept of a world in memory that is not new: a capsule has it.
    const isGiven = isNew || this.parts.options.storage.kind === "memory";
    const fixture =
      isGiven && newFixture ? newFixture : (await readFixture(this.parts.world.items))?.fixture;
    this.fixture = fixture;
    if (!isNew) return;
    // What is kept is there before the world is: a kill in between makes it again, whole.
    if (fixture) {
      const before = () => this.store(fixture);
      await this.putIn(fixture, { atStart: true, delivers: false, before });
    } else await this.dropAll();
  }

  private store(fixture: Fixture): Promise<void> {
    return storeFixture(this.parts.world.items, { fixture, hash: hashOf(fixture) });
  }

  /** Back to the start, with the fixture it had then; what is left is kept as a snapshot. */
  async reset(): Promise<void> {
    const { past, world } = this.parts;
    const { fixture } = this;
    await past().keepBeforeReset();
    if (world.stateAtFork) {
      const beginning = await world.stateAtFork();
      // Watchers are greeted as soon as it has returned, without the requests of before.
      this.parts.leave();
      await past().returnTo(beginning);
    } else if (!fixture) {
      this.dropAll();
      past().noteRestart();
    } else if (!(await this.repeatStart()))
      await this.putIn(fixture, { atStart: true, delivers: true });
  }

  /** Begins as the last time, without the fixture; false when it would begin in another way. */
  private async repeatStart(): Promise<boolean> {
    const { begun } = this;
    const { world, leave, uncounted } = this.parts;
    const again = begun && world.resetState();
    if (!again || again.key !== begun.key) return false;
    leave();
    const isKept = this.parts.options.storage.kind !== "memory";
    const to = { clock: steppedOn(again.clock, begun.state), isKept };
    uncounted(() => reopen(world.engine, begun, to));
    this.parts.past().noteRestart();
    const { journal, state } = world.engine;
    const durable = journal.reached(state.seq);
    const { past, deliver } = this.parts;
    const delivered = begun.hasClockSteps ? past().sending(deliver) : undefined;
    // Awaited together: a lost write that nobody waits for yet would end the process.
    await Promise.all([durable, delivered]);
    return true;
  }

  /** Puts a further fixture into the world as it is, after those that were asked for before. */
  seed(fixture: Fixture): Promise<SeedReport> {
    const work = async () => {
      const report = await this.putIn(fixture, { atStart: false, delivers: true });
      if (fixture.generate) report.generated = await this.generateHere(fixture.generate);
      return report;
    };
    const mine = this.last.then(work, work);
    this.last = mine.catch(() => {});
    return mine;
  }

  private dropAll() {
    this.parts.leave();
    this.parts.world.reset();
  }

  private async putIn(fixture: Fixture, into: Into): Promise<SeedReport> {
    const { gate } = this.parts.world.engine;
    for (let count = 1; count <= MAX_DRY_RUNS; count += 1) {
      const tried = this.tryOnFork(fixture, into);
      // Where somebody always moves the world, requests wait until the next one is over.
      if (count > 1) gate.closeFor(tried);
      const done = await tried;
      if (!done) continue;
      await Promise.all([done.durable, done.delivered]);
      return done.report;
    }
    const why = `it changed each of the ${MAX_DRY_RUNS} times a fixture was tried on a copy`;
    return refuse("UNAVAILABLE", { why });
  }

  /** @returns nothing when the world moved meanwhile; nothing was changed then */
  private async tryOnFork(fixture: Fixture, into: Into): Promise<PutIn | undefined> {
    // Files uploaded on the copy have no record in the world until it adopts them.
    const release = await this.parts.world.files.hold();
    try {
      return await this.tryOnCopy(fixture, into);
    } finally {
      release();
    }
  }

  private async tryOnCopy(fixture: Fixture, into: Into): Promise<PutIn | undefined> {
    const { world, trial, leave, uncounted } = this.parts;
    const dryRun = new DryRun(world, into);
    const target = trial(dryRun);
    try {
      const report = await runFixture(fixture, target, revisionOf(dryRun.world.engine.state));
      const { engine } = dryRun.world;
      if (fixture.generate && !into.atStart) requireGeneratable(engine, fixture.generate);
      else if (fixture.generate) report.generated = await this.generate(engine, fixture.generate);
      await into.before?.();
      if (into.atStart) leave();
      if (!uncounted(() => dryRun.becomePartOf(world))) return undefined;
      if (into.atStart) {
        this.keepStartState(dryRun, report);
        this.parts.past().noteRestart();
      }
      // Both from this very moment on: a lost write or an attempt is noticed only by who waits.
      const durable = world.engine.journal.reached(world.engine.state.seq);
      const delivered = into.delivers ? this.deliver(report) : undefined;
      return { report, durable, delivered };
    } finally {
      void target.close();
    }
  }

  /** Progress of records being made in bulk; nothing while none are. */
  get progress() {
    return this.making;
  }

  private async generate(engine: Engine, generate: Generate, making: GenerationHooks = {}) {
    try {
      return await generateInto(engine, generate, {
        ...making,
        onProgress: (progress) => {
          this.making = progress;
        },
      });
    } finally {
      this.making = undefined;
    }
  }

  /**
   * Makes records in the world itself, each as a change of its own: a copy would hold all of them
   * twice (decisions/generated-past.md). A failure leaves those that were made.
   */
  private async generateHere(generate: Generate) {
    const { engine } = this.parts.world;
    const { generation } = engine.origin();
    let made: SeedProgress | undefined;
    const turn = (make: () => void) => {
      if (engine.origin().generation !== generation) refuse("UNAVAILABLE", { why: OVERTAKEN });
      made = this.making;
      this.parts.uncounted(make);
    };
    try {
      const kept = () => engine.journal.reached(engine.state.seq);
      return await this.generate(engine, generate, { turn, kept });
    } catch (error) {
      // A lost write takes along what was not durable; a reset takes all of it.
      const isLost = error instanceof JournalFailure;
      const isRefused = isUnavailable(error);
      const isStill = isLost || engine.origin().generation === generation;
      if (!made || !isStill || !(isLost || isRefused)) throw error;
      const { done, total } = made;
      const details = isRefused ? error.details : { why: `storage failed: ${error.message}` };
      const why = `${details.why}; of ${total} records ${done} or more were made and stay`;
      return refuse("UNAVAILABLE", { ...details, why });
    }
  }

  private keepStartState(dryRun: DryRun, { steps }: SeedReport) {
    const { world } = this.parts;
    const key = world.resetState()?.key;
    const hasClockSteps = steps.some((step) => "advance" in step);
    this.begun =
      key === undefined
        ? undefined
        : { state: world.engine.state.fork(), changes: dryRun.changes(), key, hasClockSteps };
  }

  /** Webhooks of clock steps are sent when the fixture is in; its last clock step counts them. */
  private async deliver({ steps }: SeedReport) {
    const last = steps.findLast((step) => "advance" in step);
    const { past, deliver } = this.parts;
    if (last) last.webhookCount = await past().sending(deliver);
  }
}
