import type { Storage } from "unstorage";
import type { Fixture } from "../contract/fixtures.ts";
import {
  type OpenWorld,
  openWorld,
  WorldExists,
  type WorldOptions,
} from "../runtime/open-world.ts";
import { openKeyValue } from "../runtime/storage.ts";
import type { FixtureFile } from "./fixture-files.ts";
import { FixtureProblem } from "./fixture-problem.ts";
import type { SeedTarget } from "./seed-call.ts";
import { trialWorld } from "./seed-rehearsal.ts";
import { runFixture, type SeedReport } from "./seed-run.ts";

/** The fixture of a world, as it is kept beside the journal. */
interface Kept {
  fixture: Fixture;
  /** False while it is being put in: a start that finds it so begins anew. */
  isIn: boolean;
}

const KEY = "fixture";

/** What a world is without one. */
const NO_FIXTURE = "default";

export interface SeedParts {
  world: OpenWorld;
  /** How the world was opened. */
  options: WorldOptions;
  /** The simulator that serves it. */
  target: SeedTarget;
  /** A simulator on a world to try things on; nobody else reaches it, and it sends nothing. */
  trial(world: OpenWorld): SeedTarget;
  /** Drops everything and opens the world again, empty. */
  begin(): void;
}

/**
 * Puts fixtures into a world: each is tried on a copy first, so that one that is refused changes
 * nothing. The one it started with is kept, and put in again by a reset.
 */
export class SeededWorld {
  private readonly parts: SeedParts;
  private readonly storage: Storage;
  private fixture: Fixture | undefined;
  private beginnings = 0;

  constructor(parts: SeedParts) {
    this.parts = parts;
    this.storage = openKeyValue(parts.options.storage);
  }

  /** Name of the fixture it started with. */
  get name() {
    return this.fixture?.name ?? NO_FIXTURE;
  }

  /** False while it is being opened with its fixture. */
  get isIn() {
    return this.beginnings === 0;
  }

  /**
   * Opens a new world with a fixture. One that exists goes on, unless it was left while its
   * fixture was being put in.
   * @throws WorldExists, FixtureTextError; nothing was changed then, and the simulator is closed
   */
  async open(given: FixtureFile | undefined) {
    try {
      await this.openWith(given?.fixture);
    } catch (error) {
      await this.parts.target.close();
      throw given && error instanceof FixtureProblem ? given.located(error) : error;
    }
  }

  private async openWith(given: Fixture | undefined) {
    const { isNew, engine } = this.parts.world;
    const kept = (await this.storage.getItem<Kept>(KEY)) ?? undefined;
    const goesOn = !isNew && kept?.isIn !== false;
    if (goesOn && given)
      throw new WorldExists(
        `Expected new state for --fixture but found ${engine.state.seq} records`,
      );
    this.fixture = given ?? kept?.fixture;
    if (!goesOn) await this.begin();
  }

  /** Back to the start, with the fixture it had then; at once when it had none. */
  begin(): void | Promise<void> {
    return this.fixture ? this.beginWith(this.fixture) : this.parts.begin();
  }

  /** Puts a further fixture into the world as it is. */
  async seed(fixture: Fixture): Promise<SeedReport> {
    await this.rehearse(fixture, trialWorld(this.parts.world));
    return this.run(fixture);
  }

  private async beginWith(fixture: Fixture) {
    const { storage } = this;
    this.beginnings += 1;
    try {
      await this.rehearse(fixture, await this.fresh());
      await storage.setItem(KEY, { fixture, isIn: false } as never);
      this.parts.begin();
      await this.run(fixture);
      await storage.setItem(KEY, { fixture, isIn: true } as never);
    } finally {
      this.beginnings -= 1;
    }
  }

  /** Another world like this one at its start, in memory. */
  private async fresh() {
    const { options, world } = this.parts;
    const { identity } = world;
    const fresh = await openWorld({ ...options, storage: { kind: "memory" }, identity });
    fresh.reset();
    return fresh;
  }

  private async rehearse(fixture: Fixture, world: OpenWorld) {
    const trial = this.parts.trial(world);
    try {
      await runFixture(fixture, trial);
    } finally {
      await trial.close();
    }
  }

  private async run(fixture: Fixture) {
    const { target, world } = this.parts;
    const { generation } = world.engine;
    try {
      return await runFixture(fixture, target, () => world.engine.generation === generation);
    } catch (error) {
      throw error instanceof FixtureProblem ? error.halfway() : error;
    }
  }
}
