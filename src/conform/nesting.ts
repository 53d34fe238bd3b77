/** The depth of a value and the number of values in it, counted no further than a limit. */
export interface Extent {
  depth: number;
  values: number;
}

/** Measures a value, however deep it is: lists and objects are counted each time they are met. */
export const extentOf = (value: unknown, limit: Extent): Extent => {
  const left: [unknown, number][] = [[value, 1]];
  const extent = { depth: 0, values: 0 };
  while (left.length > 0) {
    const [one, depth] = left.pop() as [unknown, number];
    extent.values += 1;
    if (typeof one !== "object" || one === null) continue;
    extent.depth = Math.max(extent.depth, depth);
    if (extent.depth > limit.depth || extent.values > limit.values) return extent;
    for (const below of Object.values(one)) left.push([below, depth + 1]);
  }
  return extent;
};
