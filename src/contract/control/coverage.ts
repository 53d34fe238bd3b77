import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";

/** The world that is asked about, or all worlds of its simulator. */
export const CoverageScope = z.lazy(() => enumOf("CoverageScope", ["world", "all"]));

/** An item that no call has met yet, and one line that meets it. */
const MissingItem = named("MissingCoverage", () =>
  z.object({
    name: z.string(),
    /** A command, or a call as `METHOD /path {json}`; works as it stands. */
    exercise: z.string(),
  }),
);

/** An item that the settings of the world rule out. */
const ItemOutOfReach = named("CoverageOutOfReach", () =>
  z.object({
    name: z.string(),
    /** Options of a start that can meet it. */
    needs: z.string(),
  }),
);

/** One kind of item, such as operations or webhook types. */
const CoverageGroup = named("CoverageGroup", () =>
  z.object({
    name: z.string(),
    met: z.int(),
    total: z.int(),
    missing: z.array(MissingItem),
    /** Neither met nor missing, and not in the total. */
    outOfReach: z.array(ItemOutOfReach),
  }),
);

export type CoverageGroup = z.infer<typeof CoverageGroup>;

/** Reply of GET /_sim/coverage (spec/coverage.md#report). */
export const CoverageReport = named("CoverageReport", () =>
  z.object({
    /** Percent of all items that were met, with one decimal. */
    score: z.number(),
    groups: z.array(CoverageGroup),
  }),
);

export type CoverageReport = z.infer<typeof CoverageReport>;

/** Body of POST /_sim/coverage/exercise. */
export const ExerciseInput = named("ExerciseInput", () =>
  z.object({
    /** Group, a dot and the item's name, with a dash for each space. */
    item: z.string().min(1),
  }),
);

/** One call or clock step of an exercise. */
const ExerciseStep = named("ExerciseStep", () =>
  z.object({ did: z.string(), status: z.int().optional() }),
);

/** Reply of POST /_sim/coverage/exercise (spec/coverage.md#exercises). */
export const Exercised = named("Exercised", () =>
  z.object({
    item: z.string(),
    met: z.boolean(),
    steps: z.array(ExerciseStep),
    /** First answer that was not the expected one. */
    problem: z.string().optional(),
  }),
);

export type Exercised = z.infer<typeof Exercised>;
