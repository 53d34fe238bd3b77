/**
 * The fewest of some items with which a test still fails: leaves out parts, halves at first, then
 * ever smaller ones. No single item that is left can be left out.
 */
export const fewest = async <Item>(
  items: readonly Item[],
  fails: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> => {
  if (items.length === 0 || (await fails([]))) return [];
  let kept = items;
  let parts = 2;
  while (kept.length > 1) {
    const smaller = await withoutOnePart(kept, Math.ceil(kept.length / parts), fails);
    if (smaller) {
      kept = smaller;
      parts = Math.max(2, parts - 1);
    } else if (parts >= kept.length) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return kept;
};

const withoutOnePart = async <Item>(
  items: readonly Item[],
  size: number,
  fails: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[] | undefined> => {
  for (let at = 0; at < items.length; at += size) {
    const rest = [...items.slice(0, at), ...items.slice(at + size)];
    if (await fails(rest)) return rest;
  }
  return undefined;
};
