/**
 * Takes an entry out of a map that is in a meaningful order.
 * @returns a function that puts it back instead, before all that came after it
 */
export const takeOut = <Value>(map: Map<string, Value>, key: string) => {
  const keys = [...map.keys()];
  const earlier = new Set(keys.slice(0, keys.indexOf(key)));
  map.delete(key);
  return (value: Value) => {
    const entries = [...map];
    const at = entries.findIndex(([one]) => !earlier.has(one));
    entries.splice(at < 0 ? entries.length : at, 0, [key, value]);
    map.clear();
    for (const [one, its] of entries) map.set(one, its);
  };
};
