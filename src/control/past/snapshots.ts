import * as z from "zod";
import { isName } from "../../contract/control/name-form.ts";
import {
  ImportInput,
  Restored,
  RestoreInput,
  Snapshot,
  Snapshots,
} from "../../contract/control/snapshots.ts";
import type { Brand } from "../../contract/core/brand-words.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { defined } from "../../contract/core/defined.ts";
import { brandIn } from "../../domain/core/brand.ts";
import { instant } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { TextReply } from "../../http/message/text-reply.ts";
import type { RestorePoint } from "../../runtime/past/restore-points.ts";
import { snapshotFile } from "../../runtime/past/snapshot-file.ts";
import { endpoint } from "../core/control-endpoint.ts";
import type { World } from "../core/world.ts";

/** Largest exported snapshot that is taken in. */
const IMPORT_LIMIT_BYTES = 512 * 1024 * 1024;

const shown = ({ name, records, atMs, clock }: RestorePoint): Snapshot => ({
  name,
  records,
  now: instant(clock?.instantMs ?? atMs),
});

const requireName = (name: string) =>
  isName(name) ? name : refuse("NAME_MALFORMED", { field: "name", value: name });

/** Refuses the name of a snapshot that is not there, with the one that was probably meant. */
export const noSnapshot = ({ timelines: past }: Pick<World, "timelines">, name: string): never => {
  const closest = closestTo(
    name,
    past.points.list().map((point) => point.name),
  );
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  const says = `No snapshot "${name}"${hint}`;
  const details = { name, ...(closest !== undefined && { closest }) };
  return refuse("SNAPSHOT_NOT_FOUND", details, { says });
};

/**
 * Reads an exported snapshot. What checks a whole state is loaded only now: few runs import one.
 * @param brand of the world: files of earlier versions have its words, and lengths without them
 */
const stateIn = async (file: string, brand: Brand | undefined) => {
  const { readSnapshotFile } = await import("../../runtime/past/snapshot-reading.ts");
  const { SnapshotFileProblem } = await import("../../runtime/past/snapshot-lines.ts");
  const read = (text: string) => {
    try {
      return readSnapshotFile(text);
    } catch (error) {
      if (error instanceof SnapshotFileProblem) return error;
      throw error;
    }
  };
  const first = read(file);
  const other = first instanceof SnapshotFileProblem && brand ? read(brand.inward(file)) : first;
  const result = other instanceof SnapshotFileProblem ? first : other;
  if (!(result instanceof SnapshotFileProblem)) return result;
  return refuse("SNAPSHOT_FILE", { found: result.found }, { says: result.message });
};

/** States of the world kept by name (spec/snapshots.md#snapshots). */
export const snapshotEndpoints = [
  endpoint({
    operationId: "snapshots",
    summary: "The snapshots of the world, oldest first",
    method: "GET",
    path: "/snapshots",
    replies: [200, Snapshots],
    refuses: [],
    handle: async (_input, _call, { timelines: { points } }) => {
      const damages = await points.damaged();
      const damaged = damages.map(({ name, damage }) => ({ name, found: damage.message }));
      const whole = points
        .list()
        .filter((point) => damaged.every(({ name }) => name !== point.name));
      return { data: whole.map(shown), ...(damaged.length > 0 && { damaged }) };
    },
  }),
  endpoint({
    operationId: "saveSnapshot",
    summary: "Save the world as a snapshot; replaces an earlier one of that name",
    method: "PUT",
    path: "/snapshots/{name}",
    replies: [201, Snapshot],
    refuses: ["NAME_MALFORMED", "UNAVAILABLE"],
    handle: async ({ params: { name } }, call, { timelines: past }) => {
      const point = await past.save(requireName(name));
      call.sawEverything();
      return shown(point);
    },
  }),
  endpoint({
    operationId: "restoreSnapshot",
    summary: "Return to a snapshot and its clock; keepClock keeps the current clock",
    method: "POST",
    path: "/snapshots/{name}/restore",
    body: RestoreInput.optional(),
    replies: [200, Restored],
    refuses: ["SNAPSHOT_NOT_FOUND", "UNAVAILABLE"],
    outlivesReset: true,
    handle: async ({ params: { name }, body }, call, world): Promise<Restored> => {
      const { timelines: past, engine } = world;
      const keepClock = body?.keepClock === true;
      const { records } = (await past.restore(name, { keepClock })) ?? noSnapshot(world, name);
      call.sawEverything();
      const { mode, speed } = engine.clock;
      return { name, records, now: instant(engine.clock.now()), mode, ...defined({ speed }) };
    },
  }),
  endpoint({
    operationId: "removeSnapshot",
    summary: "Remove a snapshot",
    method: "DELETE",
    path: "/snapshots/{name}",
    replies: [204, z.undefined()],
    refuses: ["SNAPSHOT_NOT_FOUND", "UNAVAILABLE"],
    handle: async ({ params: { name } }, _call, world) => {
      if (!(await world.timelines.remove(name))) noSnapshot(world, name);
    },
  }),
  endpoint({
    operationId: "exportSnapshot",
    summary: "Export a snapshot as text, without keys and secrets",
    method: "GET",
    path: "/snapshots/{name}/export",
    replies: [200, z.string(), "text/plain"],
    refuses: ["SNAPSHOT_NOT_FOUND", "UNAVAILABLE"],
    isOfFile: true,
    handle: async ({ params: { name } }, _call, world) => {
      const { timelines: past, version } = world;
      const { point, state } = (await past.load(name)) ?? noSnapshot(world, name);
      if (point.clock) state.clock = point.clock;
      return new TextReply(snapshotFile(state, { name, program: version }));
    },
  }),
  endpoint({
    operationId: "importSnapshot",
    summary: "Add a snapshot from an exported file; the world does not change",
    method: "POST",
    path: "/snapshots/import",
    body: ImportInput,
    bodyLimitBytes: IMPORT_LIMIT_BYTES,
    isOfFile: true,
    replies: [201, Snapshot],
    refuses: ["SNAPSHOT_FILE", "NAME_MALFORMED", "UNAVAILABLE"],
    handle: async ({ body: { file, name } }, _call, { timelines: past, engine }) => {
      const read = await stateIn(file, brandIn(engine.state));
      return shown(await past.put(requireName(name ?? read.name), read.state));
    },
  }),
];
