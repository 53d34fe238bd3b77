import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { Kind } from "../../src/domain/records/records.ts";
import { AppendList } from "../../src/runtime/append-list.ts";
import type { Change } from "../../src/runtime/change.ts";
import { Engine } from "../../src/runtime/engine.ts";
import { IdSet } from "../../src/runtime/id-set.ts";
import { NoJournal } from "../../src/runtime/journal.ts";
import { PersistentMap } from "../../src/runtime/persistent-map.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import { Table } from "../../src/runtime/table.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { runsOf } from "../setup/campaign.ts";
import { act, imageOf, type Step, stepOf } from "./setup/random-world.ts";

const CLOCK = { mode: "manual", offsetMs: 0, instantMs: 1_000_000 } as const;
const CAUSE = { cause: "test", by: "test" };

/** A world and all changes that made it, its origin's included. */
interface Side {
  engine: Engine;
  changes: Change[];
}

const sideOf = (state: WorldState | undefined, past: readonly Change[]): Side => {
  const engine = new Engine({ wall: machineWall, journal: new NoJournal(), clock: CLOCK });
  const changes = [...past];
  engine.listeners.add({ changed: (change) => changes.push(change) });
  if (state) engine.load(state, new NoJournal());
  else engine.open(() => {}, { world: "w", seed: "s", branch: 1 }, CLOCK);
  engine.rest();
  return { engine, changes };
};

const fork = ({ engine, changes }: Side) => sideOf(engine.state.fork(), changes);

/** The same changes, applied to a world that shares nothing with any other. */
const replayed = (changes: readonly Change[]) => {
  const state = new WorldState();
  for (const change of changes) state.apply(change);
  return state;
};

interface Turn {
  side: number;
  forks: boolean;
  steps: Step[];
}

const turnOf = fc.record<Turn>({
  side: fc.nat(4),
  forks: fc.boolean(),
  steps: fc.array(stepOf, { minLength: 1, maxLength: 40 }),
});

const checkForks = (runs: number, sharesLists = false) =>
  fc.assert(
    fc.property(fc.array(turnOf, { maxLength: 12 }), (turns) => {
      const sides = [sideOf(undefined, [])];
      for (const { side, forks, steps } of turns) {
        const one = sides[side % sides.length] as Side;
        // Slots far apart fill more than one leaf and more than one list of ids.
        for (const step of steps)
          for (const slot of sharesLists ? [0, 13, 26, 39, 52] : [0])
            one.engine.commit(act, { ...step, slot: step.slot + slot }, CAUSE);
        if (forks && sides.length < 5) sides.push(fork(one));
      }
      for (const { engine, changes } of sides)
        expect(imageOf(engine.state)).toEqual(imageOf(replayed(changes)));
    }),
    // A planted mistake is only to be seen, not told in its shortest form.
    { numRuns: runs, endOnFailure: sharesLists },
  );

afterEach(() => vi.restoreAllMocks());

test("after any forks each world is as if it had been alone", () => {
  checkForks(runsOf(2000, 60));
});

/** Mistakes that let one side write into another; each must be seen. */
const PLANTED: readonly { what: string; plant: () => unknown }[] = [
  {
    what: "a map whose origin writes on as before",
    plant: () => {
      const whole = PersistentMap.prototype.fork;
      vi.spyOn(PersistentMap.prototype, "fork").mockImplementation(function (
        this: PersistentMap<unknown>,
      ) {
        const { owner } = this as unknown as { owner: object };
        const twin = whole.call(this);
        Object.assign(this, { owner });
        return twin;
      });
    },
  },
  {
    what: "a table that both sides write",
    plant: () => {
      interface Owning {
        tables: Map<Kind, unknown>;
        ownTable(kind: Kind): unknown;
      }
      const { ownTable } = WorldState.prototype as unknown as Owning;
      vi.spyOn(WorldState.prototype as unknown as Owning, "ownTable").mockImplementation(function (
        this: Owning,
        kind,
      ) {
        return this.tables.get(kind) ?? ownTable.call(this, kind);
      });
    },
  },
  {
    what: "lists of ids that two forks write as one",
    plant: () => {
      const whole = Table.prototype.fork;
      vi.spyOn(Table.prototype, "fork").mockImplementation(function (this: Table<Kind>) {
        const { owner } = this as unknown as { owner: object };
        return Object.assign(whole.call(this), { owner }) as never;
      });
    },
  },
  {
    what: "a chunk of ids that is never copied",
    plant: () =>
      vi
        .spyOn(IdSet.prototype as unknown as { ownIds(at: number): string[] }, "ownIds")
        .mockImplementation(function (this: unknown, at) {
          return (this as { chunks: { ids: string[] }[] }).chunks[at]?.ids as string[];
        }),
  },
  {
    what: "postings added to a shared chunk",
    plant: () =>
      vi
        .spyOn(AppendList.prototype as unknown as { own(): void }, "own")
        .mockImplementation(() => {}),
  },
];

test.each(PLANTED)("$what would be noticed", ({ plant }) => {
  plant();
  expect(() => checkForks(300, true)).toThrow();
});
