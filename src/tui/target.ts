import type { ListName, Rows } from "../rows/world.ts";
import type { Scene } from "./scene.ts";
import { focusedList, idsOf, rowsOf } from "./view.ts";
import { windowOf } from "./window.ts";

/** A row, and the list that it stands in. */
export interface Target {
  list: ListName;
  row: Rows[ListName];
}

type Looking = Pick<Scene, "watched" | "view">;

/** The row under the cursor of the focused list. */
export const chosenRow = ({ watched, view }: Looking): Rows[ListName] | undefined => {
  const list = focusedList(view);
  const rows = rowsOf(watched, view, list);
  const { chosen } = windowOf(idsOf(rows), view.cursors[list], 1);
  return rows[chosen];
};

/** The list and row that a key acts on: the opened one, or the one under the cursor. */
export const targetOf = ({ watched, view }: Looking): Target | undefined => {
  const { detail } = view;
  const list = detail?.list ?? focusedList(view);
  const row = detail
    ? (watched.lists[list] as readonly Rows[ListName][]).find(({ id }) => id === detail.id)
    : chosenRow({ watched, view });
  return row && { list, row };
};
