import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { CLOCK_MODES } from "./clock-modes.ts";
import { Name } from "./names.ts";

/** A state of a world that was kept under a name. */
export const Snapshot = z.lazy(() =>
  z
    .object({
      name: Name,
      records: z.int(),
      /** Simulated instant at which its clock stands. */
      now: Instant,
    })
    .meta({ id: "Snapshot" }),
);

export type Snapshot = z.infer<typeof Snapshot>;

/** A snapshot whose files cannot be read. */
export const DamagedSnapshot = named("DamagedSnapshot", () =>
  z.object({
    name: z.string(),
    /** The file, and its fault. */
    found: z.string(),
  }),
);

/** Reply of GET /_sim/snapshots, the oldest first. */
export const Snapshots = named("SnapshotList", () =>
  z.object({ data: z.array(Snapshot), damaged: z.array(DamagedSnapshot).optional() }),
);

export type Snapshots = z.infer<typeof Snapshots>;

/** Body of POST /_sim/snapshots/{name}/restore. */
export const RestoreInput = z.lazy(() =>
  z.object({
    /** Keeps the present instant and mode of the clock. */
    keepClock: z.boolean().optional(),
  }),
);

/** Reply of POST /_sim/snapshots/{name}/restore. */
export const Restored = named("RestoredSnapshot", () =>
  z.object({
    name: Name,
    records: z.int(),
    now: Instant,
    mode: z.enum(CLOCK_MODES),
    /** Simulated milliseconds in a real one, in mode `real`, where it is not 1. */
    speed: z.number().optional(),
  }),
);

export type Restored = z.infer<typeof Restored>;

/** Body of POST /_sim/snapshots/import. */
export const ImportInput = z.lazy(() =>
  z.object({
    /** The whole text of an exported snapshot. */
    file: z.string(),
    /** Name to keep it under; the one it was exported with by default. */
    name: Name.optional(),
  }),
);
