import { namedFiles } from "../../../src/domain/customers/document-files.ts";
import { joinFolder } from "../../../src/storage/file/state/folder-session.ts";
import type { Session } from "../../../src/storage/port/session.ts";
import { imageOf } from "../../runtime/setup/random-world.ts";

const ITEMS = ["identity", "fixture", "requests"] as const;

/** All that a store keeps of its worlds, in a form that two stores can be compared in. */
export const contentsOf = async (session: Session) => {
  const { worlds, damaged } = await session.list();
  const all = [];
  for (const { name, from, isLate, summary } of worlds) {
    const held = await session.take(name);
    if (!held) throw new Error(`no world ${name}`);
    const { state } = await held.read();
    const points = [];
    for (const { name: point, clock } of (await held.points()).kept) {
      const kept = await held.loadPoint(point);
      points.push({ point, clock, state: kept && imageOf(kept) });
    }
    const items = await Promise.all(ITEMS.map(async (item) => [item, await held.item(item)]));
    const files = await Promise.all(namedFiles(state).map((sha256) => session.files.read(sha256)));
    const start = from === undefined ? undefined : imageOf(await held.loadStart());
    await held.release({ documents: [] });
    all.push({ name, from, isLate, summary, state: imageOf(state), start, points, items, files });
  }
  return { worlds: all, damaged };
};

/** The same of a folder that nobody uses. */
export const contentsOfFolder = async (directory: string) => {
  const session = await joinFolder(directory, { fsync: false });
  try {
    return await contentsOf(session);
  } finally {
    await session.leave();
  }
};
