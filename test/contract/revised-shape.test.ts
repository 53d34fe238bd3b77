import { describe, expect, test } from "vitest";
import * as z from "zod";
import { named } from "../../src/contract/core/named-shape.ts";
import {
  added,
  addedValue,
  demanded,
  extended,
  freed,
  gone,
  replaced,
  revised,
  shapeIn,
  withValues,
  withVariants,
} from "../../src/contract/core/revised-shape.ts";

const SINCE = "cardLimits";

const Color = withValues(z.enum(["RED", "GREEN"]), {
  GREEN: gone(SINCE),
  BLUE: addedValue(SINCE),
});

const Thing = named("RevisedThing", () =>
  revised(
    z.object({
      color: Color,
      old: z.string(),
      maybe: z.string().optional(),
      sure: z.string(),
      count: z.number(),
    }),
    {
      old: gone(SINCE),
      maybe: demanded(SINCE),
      sure: freed(SINCE),
      count: added(SINCE, z.string()),
      fresh: added(SINCE, z.string()),
      spare: added(SINCE, z.string().optional()),
    },
  ),
);

const BEFORE = { color: "GREEN", old: "o", sure: "s", count: 1 };
const AFTER = { color: "BLUE", maybe: "m", count: "1", fresh: "f" };

const takes = (shape: z.ZodType, revision: "2025-10" | "2026-08", value: unknown) =>
  shapeIn(shape, revision).safeParse(value);

/** Each way in which a shape stands in another one. */
const AROUND: readonly [string, (shape: z.ZodType) => z.ZodType, (value: unknown) => unknown][] = [
  ["alone", (shape) => shape, (value) => value],
  ["in a list", (shape) => z.array(shape), (value) => [value]],
  ["as a member", (shape) => z.object({ in: shape }), (value) => ({ in: value })],
  ["as an optional one", (shape) => z.object({ in: shape.optional() }), (value) => ({ in: value })],
  ["as one that may be null", (shape) => shape.nullable(), (value) => value],
  ["in a record", (shape) => z.record(z.string(), shape), (value) => ({ a: value })],
  ["in a union", (shape) => z.union([z.literal(1), shape]), (value) => value],
  ["behind a check", (shape) => shape.refine(() => true), (value) => value],
  ["behind a name", (shape) => z.lazy(() => shape), (value) => value],
];

describe.each(AROUND)("a shape with changes, %s", (_where, around, inside) => {
  test("is that of each revision, and drops what the other one has", () => {
    const shape = around(Thing);
    expect(takes(shape, "2025-10", inside({ ...BEFORE, fresh: "f" })).data).toEqual(inside(BEFORE));
    expect(takes(shape, "2026-08", inside({ ...AFTER, old: "o" })).data).toEqual(inside(AFTER));
    expect(takes(shape, "2025-10", inside(AFTER)).success).toBe(false);
    expect(takes(shape, "2026-08", inside(BEFORE)).success).toBe(false);
  });
});

test("each change counts alone", () => {
  const failing = ["color", "maybe", "count", "fresh"].filter((name) => {
    const { [name as keyof typeof AFTER]: _left, ...rest } = AFTER;
    return !takes(Thing, "2026-08", rest).success;
  });
  expect(failing).toEqual(["color", "maybe", "count", "fresh"]);
  expect(takes(Thing, "2026-08", { ...AFTER, color: "GREEN" }).success).toBe(false);
  expect(takes(Thing, "2026-08", { ...AFTER, sure: "s", spare: "p" }).success).toBe(true);
});

test("checks and names stay, and the first revision is the shape itself", () => {
  const checked = Thing.unwrap().refine(({ sure }) => sure !== "no", "Expected no no");
  expect(takes(checked, "2026-08", { ...AFTER, sure: "no" }).error?.issues[0]?.message).toBe(
    "Expected no no",
  );
  expect(shapeIn(Thing, "2025-10")).toBe(Thing);
  expect(shapeIn(Thing, "2026-08")).toBe(shapeIn(Thing, "2026-08"));
  expect(z.toJSONSchema(shapeIn(z.array(Thing), "2026-08")).$defs).toHaveProperty("RevisedThing");
});

test("an extended object keeps its changes, and has the further members in both", () => {
  const more = extended(Thing.unwrap(), { more: z.string() });
  expect(takes(more, "2026-08", { ...AFTER, more: "m" }).success).toBe(true);
  expect(takes(more, "2026-08", AFTER).success).toBe(false);
  expect(takes(more, "2025-10", { ...BEFORE, more: "m" }).success).toBe(true);
});

test("a union gets variants, and a shape is replaced as a whole", () => {
  const One = z.object({ type: z.literal("ONE") });
  const Two = z.object({ type: z.literal("TWO") });
  const union = withVariants(z.discriminatedUnion("type", [One]), [added(SINCE, Two)]);
  expect(takes(union, "2026-08", { type: "TWO" }).success).toBe(true);
  expect(takes(union, "2025-10", { type: "TWO" }).success).toBe(false);
  const whole = replaced(
    z.lazy(() => One),
    added(
      SINCE,
      z.lazy(() => Two),
    ),
  );
  expect(takes(whole, "2026-08", { type: "TWO" }).success).toBe(true);
  expect(takes(whole, "2025-10", { type: "ONE" }).success).toBe(true);
  expect(takes(whole, "2026-08", { type: "ONE" }).success).toBe(false);
});
