import { Refusal, refuse } from "../../domain/core/refusal.ts";
import type { Kind } from "../../domain/records/records.ts";
import { findId } from "./find-id.ts";
import type { World } from "./world.ts";

/**
 * The id that a person means, as `findId` has it. An id that a rewind undid is refused with the
 * snapshot that has it (spec/snapshots.md#rewind).
 */
export const findPresentId = (
  { engine, log, timelines: past }: World,
  text: string,
  kinds?: readonly Kind[],
): string => {
  try {
    return findId(engine.state, text, kinds);
  } catch (error) {
    const undone = log.undoneWith(text);
    if (!(error instanceof Refusal) || error.word !== "ID_NOT_FOUND" || !undone) throw error;
    const { id, request, kept } = undone;
    const isKept = past.points.list().some(({ name }) => name === kept);
    const next = isKept
      ? `service-sim snapshot load ${kept}      restores it`
      : `service-sim requests ${request}      shows the request that made it`;
    return refuse("ID_NOT_FOUND", { id: text }, { says: `${id} was undone by a rewind`, next });
  }
};
