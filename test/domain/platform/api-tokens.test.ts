import { describe, expect, test } from "vitest";
import type { Permission } from "../../../src/contract/platform/tokens.ts";
import { errorBody, Refusal } from "../../../src/domain/core/refusal.ts";
import {
  createToken,
  deleteToken,
  requirePermission,
  tokenOf,
} from "../../../src/domain/platform/api-tokens.ts";
import type { ApiTokenRecord } from "../../../src/domain/records/platform-records.ts";
import { RuleWorld, START_MS } from "../setup/rule-world.ts";

const tokenWith = (permissions: Permission[]): ApiTokenRecord => ({
  id: "Token:one",
  name: "one",
  clientId: "one",
  secretHash: "",
  permissions,
  createdAtMs: START_MS,
  updatedAtMs: START_MS,
});

/**
 * Grants of each set of permissions: any implies VIEW, none another one
 * (spec/tokens.md#permissions).
 */
const GRANTS = [
  { has: ["VIEW"], needs: "VIEW", granted: true },
  { has: ["VIEW"], needs: "TRANSACT", granted: false },
  { has: ["VIEW"], needs: "MANAGE", granted: false },
  { has: ["TRANSACT"], needs: "VIEW", granted: true },
  { has: ["TRANSACT"], needs: "TRANSACT", granted: true },
  { has: ["TRANSACT"], needs: "MANAGE", granted: false },
  { has: ["MANAGE"], needs: "VIEW", granted: true },
  { has: ["MANAGE"], needs: "TRANSACT", granted: false },
  { has: ["MANAGE"], needs: "MANAGE", granted: true },
  { has: ["VIEW", "MANAGE"], needs: "TRANSACT", granted: false },
  { has: ["VIEW", "TRANSACT"], needs: "MANAGE", granted: false },
  { has: ["VIEW", "TRANSACT", "MANAGE"], needs: "MANAGE", granted: true },
] as const;

const refusalOf = (act: () => void) => {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return errorBody(error);
    throw error;
  }
  return undefined;
};

describe("a token", () => {
  test.each(GRANTS)("with $has asked for $needs: $granted", ({ has, needs, granted }) => {
    const refused = refusalOf(() => requirePermission(tokenWith([...has]), needs));
    if (granted) expect(refused).toBeUndefined();
    else
      expect(refused).toMatchObject({
        status: 403,
        code: "FORBIDDEN",
        details: { requiredPermission: needs },
      });
  });

  test("is found by its client id and by its own id, and by nothing else", () => {
    const world = new RuleWorld();
    const [id] = world.state.ids("ApiToken", "all", "");
    const token = world.state.get("ApiToken", id as string);
    expect(token?.permissions).toEqual(["VIEW", "TRANSACT", "MANAGE"]);
    expect(tokenOf(world.state, "client")).toEqual(token);
    expect(tokenOf(world.state, id as string)).toEqual(token);
    for (const user of ["", "CLIENT", "client ", "Token:unknown", "__proto__"])
      expect(tokenOf(world.state, user)).toBeUndefined();
  });
});

describe("the calling token", () => {
  const body = { name: "late", permissions: ["VIEW" as const] };
  const refusedWith = (act: () => unknown) => refusalOf(() => void act());
  const startId = (world: RuleWorld) => world.state.ids("ApiToken", "all", "").at(0) as string;

  test("makes and deletes nothing if it was deleted while its body was on its way", () => {
    const world = new RuleWorld();
    const tokenId = startId(world);
    const { id } = world.run(createToken, { body, tokenId });
    world.run(createToken, { body: { name: "m", permissions: ["MANAGE"] }, tokenId });
    const gone = world.run(createToken, { body, tokenId }).id;
    world.run(deleteToken, { params: { tokenId: gone }, callerId: tokenId });
    const before = world.state.seq;
    for (const callerId of [gone, ""]) {
      const made = refusedWith(() => world.run(createToken, { body, tokenId: callerId }));
      const deleted = refusedWith(() =>
        world.run(deleteToken, { params: { tokenId: id }, callerId }),
      );
      for (const refused of [made, deleted])
        expect(refused).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    }
    expect(world.state.seq).toBe(before);
  });

  test("cannot delete the last token with MANAGE, even without MANAGE itself", () => {
    const world = new RuleWorld();
    const tokenId = startId(world);
    const { id: callerId } = world.run(createToken, { body, tokenId });
    const refused = refusedWith(() => world.run(deleteToken, { params: { tokenId }, callerId }));
    expect(refused).toMatchObject({ status: 400, reason: "LAST_MANAGE_TOKEN" });
    expect(world.state.get("ApiToken", tokenId)).toBeDefined();
  });
});
