import { describe, expect, test } from "vitest";
import type { UmaLookup } from "../../../src/contract/payments/lookups.ts";
import { lookUpUma, MAX_KEPT_LOOKUPS } from "../../../src/domain/payments/lookups.ts";
import { RuleWorld, START_MS } from "../setup/rule-world.ts";

const LIFETIME_MS = 900_000;

const lookUp = (
  world: RuleWorld,
  receiverUmaAddress = "$success.usd@sandbox.uma.test",
): UmaLookup => world.run(lookUpUma, { params: { receiverUmaAddress }, query: {} });

const kept = ({ state }: RuleWorld) => state.ids("Lookup", "all", "");

describe("stored lookups", () => {
  test("exist until a new one is made after their expiry", () => {
    const world = new RuleWorld();
    const first = lookUp(world);
    world.atMs = START_MS + LIFETIME_MS - 1;
    const second = lookUp(world);
    expect(kept(world)).toEqual([first.lookupId, second.lookupId]);
    world.atMs = START_MS + LIFETIME_MS;
    expect(kept(world)).toHaveLength(2);
    const third = lookUp(world);
    expect(kept(world)).toEqual([second.lookupId, third.lookupId]);
  });

  test("are removed a few at a time, the oldest first", () => {
    const world = new RuleWorld();
    const old = Array.from({ length: 20 }, () => lookUp(world).lookupId);
    world.atMs = START_MS + LIFETIME_MS;
    const young: string[] = [];
    for (const left of [12, 4, 0]) {
      young.push(lookUp(world).lookupId);
      expect([...kept(world)]).toEqual([...old.slice(20 - left), ...young]);
    }
  });

  test("are ten thousand at most, whatever their age", () => {
    expect(MAX_KEPT_LOOKUPS).toBe(10_000);
    const world = new RuleWorld();
    const ids = Array.from({ length: MAX_KEPT_LOOKUPS }, () => lookUp(world).lookupId);
    expect(kept(world)).toHaveLength(10_000);
    const { lookupId } = lookUp(world);
    expect(kept(world).length).toBeLessThanOrEqual(10_000);
    expect(kept(world)).not.toContain(ids[0]);
    expect(kept(world)).toContain(ids[9_999]);
    expect(kept(world)).toContain(lookupId);
  });
});
