import { expect } from "vitest";
import { batchAfter, type EngineCase, holdingOf } from "./scene.ts";

/** The error of a wall clock, far beyond each lease. */
const HOUR_MS = 3_600_000;

/** Owners of worlds: takes, leases, fences. */
export const LEASE_CASES: readonly EngineCase[] = [
  {
    name: "a new world belongs to the process that made it, at fence 1",
    async run(scene) {
      const owner = await scene.process("p");
      const { name } = await scene.world("new", owner);
      const row = await scene.row(name);
      expect(row).toMatchObject({ name, owner, fence: 1, seq: 0 });
      expect(row.leaseLeftMs).toBeGreaterThan(0);
    },
  },
  {
    name: "a live owner's world is not given away: the row comes back as it is",
    async run(scene) {
      const owner = await scene.process("p");
      const world = await scene.world("alive", owner);
      const row = await scene.engine.take(world.name, await scene.process("q"));
      expect(row).toMatchObject({ name: world.name, owner, fence: 1 });
      expect(row!.leaseLeftMs).toBeGreaterThan(0);
      expect(await scene.held(world.name)).toEqual(world);
      await scene.grow(world, 1);
    },
  },
  {
    name: "a take of an unknown world finds nothing",
    async run(scene) {
      const owner = await scene.process("p");
      expect(await scene.engine.take(scene.name("absent"), owner)).toBeUndefined();
      expect(await scene.engine.find(scene.name("absent"))).toBeUndefined();
    },
  },
  {
    name: "a free world is given, and its fence rises each time",
    async run(scene) {
      const first = await scene.process("p");
      let world = await scene.world("free", first);
      for (const [short, fence] of [
        ["q", 3],
        ["r", 5],
        ["s", 7],
      ] as const) {
        // Both the release and the take raise it.
        await scene.engine.write(world, { release: { summary: "{}", dueAtMs: null } });
        const owner = await scene.process(short);
        const row = await scene.engine.take(world.name, owner);
        expect(row).toMatchObject({ owner, fence, seq: 0, timeline: world.timeline });
        expect(row!.leaseLeftMs).toBeGreaterThan(0);
        world = holdingOf(row!);
      }
    },
  },
  {
    name: "a world whose owner's lease ended is given, with all that was appended",
    async run(scene) {
      const world = await scene.grow(await scene.world("orphan", await scene.mortal("p")), 3);
      await scene.endLeases();
      const owner = await scene.process("q");
      expect((await scene.row(world.name)).leaseLeftMs).toBeLessThanOrEqual(0);
      const row = await scene.engine.take(world.name, owner);
      expect(row).toMatchObject({ owner, fence: 2, seq: 3, timeline: world.timeline });
    },
  },
  {
    name: "a world whose owner never had a lease is given",
    async run(scene) {
      const world = await scene.world("stray", scene.name("unknown"));
      expect((await scene.row(world.name)).leaseLeftMs).toBeUndefined();
      const owner = await scene.process("q");
      const row = await scene.engine.take(world.name, owner);
      expect(row).toMatchObject({ owner, fence: 2 });
    },
  },
  {
    name: "who takes its own world again gets a higher fence, which alone writes",
    async run(scene) {
      const world = await scene.world("own", await scene.process("p"));
      const row = await scene.engine.take(world.name, world.owner);
      expect(row).toMatchObject({ owner: world.owner, fence: 2 });
      expect([...(await scene.engine.append(world.owner, [batchAfter(world, 1)]))]).toEqual([]);
      await scene.grow(holdingOf(row!), 1);
    },
  },
  {
    name: "a lease that is renewed goes on",
    async run(scene) {
      const { leaseMs } = scene.test;
      const owner = await scene.process("p", { leaseMs: leaseMs * 2 });
      const other = await scene.process("q");
      const world = await scene.world("renewed", owner);
      for (let round = 0; round < 3; round += 1) {
        await scene.test.passMs(leaseMs);
        expect(await scene.engine.renew(owner, leaseMs * 2, { loaded: round })).toBe(true);
      }
      expect(await scene.engine.take(world.name, other)).toMatchObject({ owner, fence: 1 });
    },
  },
  {
    name: "a lease that ended is renewed while nobody has taken a world of its process",
    async run(scene) {
      const owner = await scene.mortal("p");
      const world = await scene.world("late", owner);
      await scene.endLeases();
      expect(await scene.engine.renew(owner, HOUR_MS, { loaded: 1 })).toBe(true);
      const row = await scene.engine.take(world.name, await scene.process("q"));
      expect(row).toMatchObject({ owner, fence: 1 });
      expect(row!.leaseLeftMs).toBeGreaterThan(HOUR_MS / 2);
      await scene.grow(world, 1);
    },
  },
  {
    name: "a lease that ended is over for good once another process has taken a world of it",
    async run(scene) {
      const { engine } = scene;
      const owner = await scene.mortal("p");
      const [taken, left] = [await scene.world("taken", owner), await scene.world("left", owner)];
      await scene.endLeases();
      const other = await scene.process("q");
      expect(await engine.take(taken.name, other)).toMatchObject({ owner: other, fence: 2 });
      for (let round = 0; round < 2; round += 1) {
        expect(await engine.renew(owner, HOUR_MS, { loaded: 1 })).toBe(false);
        expect((await scene.row(left.name)).leaseLeftMs).toBeLessThanOrEqual(0);
        // Nor does it come back with the world that was taken.
        await engine.write(await scene.held(taken.name), {
          release: { summary: "", dueAtMs: null },
        });
        await engine.take(taken.name, other);
      }
      expect(await engine.take(left.name, other)).toMatchObject({ owner: other, fence: 2 });
    },
  },
  {
    name: "a take that changes no owner ends no lease",
    async run(scene) {
      const { engine } = scene;
      const owner = await scene.mortal("p");
      const other = await scene.process("q");
      const [own, free] = [await scene.world("own", owner), await scene.world("free", owner)];
      expect(await engine.take(own.name, other)).toMatchObject({ owner, fence: 1 });
      await engine.write(free, { release: { summary: "{}", dueAtMs: null } });
      await scene.endLeases();
      await engine.take(own.name, owner);
      await engine.take(free.name, other);
      await engine.take(scene.name("absent"), other);
      expect(await engine.renew(owner, HOUR_MS, { loaded: 1 })).toBe(true);
      expect(await engine.take(own.name, other)).toMatchObject({ owner, fence: 2 });
    },
  },
  {
    name: "a process that left has no lease to renew, although nobody has taken a world of it",
    async run(scene) {
      const owner = await scene.process("p");
      await scene.engine.leave(owner);
      expect(await scene.engine.renew(owner, HOUR_MS, { loaded: 0 })).toBe(false);
    },
  },
  {
    name: "a lease that ended hours ago is renewed, whatever was swept meanwhile",
    needs: "hours",
    async run(scene) {
      const owner = await scene.mortal("p");
      const world = await scene.world("late", owner);
      await scene.test.passMs(3 * HOUR_MS);
      await scene.engine.sweep();
      expect(await scene.engine.renew(owner, HOUR_MS, { loaded: 1 })).toBe(true);
      await scene.grow(world, 1);
    },
  },
  {
    name: "a process that never joined has no lease to renew",
    async run(scene) {
      expect(await scene.engine.renew(scene.name("absent"), HOUR_MS, { loaded: 0 })).toBe(false);
    },
  },
  {
    name: "a lease holds by the engine's clock, although the taker's clock is ahead",
    async run(scene) {
      const owner = await scene.process("p");
      const world = await scene.world("ahead", owner);
      const other = await scene.process("q");
      scene.test.shiftProcessClock(HOUR_MS);
      const row = await (await scene.test.second()).take(world.name, other);
      expect(row).toMatchObject({ owner, fence: 1 });
      expect(row!.leaseLeftMs).toBeGreaterThan(0);
      expect(await scene.engine.renew(owner, HOUR_MS, { loaded: 1 })).toBe(true);
    },
  },
  {
    name: "a lease ends by the engine's clock, although its process's clock was ahead or behind",
    async run(scene) {
      const other = await scene.process("q");
      scene.test.shiftProcessClock(HOUR_MS);
      const ahead = await scene.world("ahead", await scene.mortal("ahead"));
      scene.test.shiftProcessClock(-HOUR_MS);
      const behind = await scene.world("behind", await scene.process("behind"));
      scene.test.shiftProcessClock(0);

      await scene.endLeases();
      expect(await scene.engine.take(behind.name, other)).toMatchObject({
        owner: behind.owner,
        fence: 1,
      });
      expect(await scene.engine.take(ahead.name, other)).toMatchObject({ owner: other, fence: 2 });
      expect(await scene.engine.renew(ahead.owner, HOUR_MS, { loaded: 1 })).toBe(false);
    },
  },
  {
    name: "a process that leaves frees what it holds, and nothing of others",
    async run(scene) {
      const leaving = await scene.process("p");
      const staying = await scene.process("q");
      const left = await scene.world("left", leaving);
      const kept = await scene.world("kept", staying);
      await scene.engine.leave(leaving);
      const row = await scene.row(left.name);
      expect(row.owner).toBeUndefined();
      expect(row.leaseLeftMs).toBeUndefined();
      expect(await scene.held(kept.name)).toEqual(kept);
      expect([...(await scene.engine.append(leaving, [batchAfter(left, 1)]))]).toEqual([]);
      expect(await scene.engine.take(left.name, staying)).toMatchObject({ owner: staying });
      expect(await scene.engine.renew(leaving, HOUR_MS, { loaded: 0 })).toBe(false);
    },
  },
  {
    name: "a process that leaves after its world was taken does not free it",
    async run(scene) {
      const old = await scene.mortal("p");
      const world = await scene.world("moved", old);
      await scene.endLeases();
      const owner = await scene.process("q");
      await scene.engine.take(world.name, owner);
      await scene.engine.leave(old);
      expect(await scene.row(world.name)).toMatchObject({ owner, fence: 2 });
    },
  },
  {
    name: "the processes are listed with what the others need, and their leases",
    async run(scene) {
      const id = scene.name("listed");
      const { engine } = scene;
      await engine.join(
        { id, peer: "10.0.0.7:4748", knows: 1_001, version: "2.0.1", loaded: 3 },
        60_000,
      );
      const plain = await scene.process("plain");
      const mortal = await scene.mortal("mortal");
      await scene.endLeases();
      await engine.renew(id, 60_000, { loaded: 17 });

      const processes = await (await scene.test.second()).processes();
      const row = processes.find((one) => one.id === id)!;
      expect(row).toEqual({
        id,
        peer: "10.0.0.7:4748",
        knows: 1_001,
        version: "2.0.1",
        loaded: 17,
        leaseLeftMs: expect.any(Number),
      });
      expect(row.leaseLeftMs).toBeGreaterThan(50_000);
      expect(row.leaseLeftMs).toBeLessThanOrEqual(60_000);
      expect(processes.find((one) => one.id === plain)).not.toHaveProperty("peer");
      expect(processes.find((one) => one.id === mortal)!.leaseLeftMs).toBeLessThanOrEqual(0);

      await engine.leave(id);
      const live = (await engine.processes()).filter((one) => one.leaseLeftMs > 0);
      expect(live.map((one) => one.id)).not.toContain(id);
    },
  },
];
