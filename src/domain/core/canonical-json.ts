const HEX_KEY = /^04[0-9a-f]{128}$/i;

/** JSON whose members are in order of their names, and client keys in lower case. */
const canonical = (value: unknown): unknown => {
  if (typeof value === "string") return HEX_KEY.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]),
  );
};

/**
 * A body as text that is the same whenever the body means the same: member order does not count,
 * client keys are compared by their bytes (decisions, Changed body). No body is an empty one.
 */
export const canonicalJson = (body: unknown): string => JSON.stringify(canonical(body ?? {}));

/** The members in which two such texts differ, by name; the whole counts as `body`. */
export const changedMembers = (before: string, after: string): string[] => {
  if (before === after) return [];
  const [a, b] = [before, after].map((text) => JSON.parse(text) as Record<string, unknown>);
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  const changed = names.filter((name) => JSON.stringify(a?.[name]) !== JSON.stringify(b?.[name]));
  return changed.length > 0 ? changed : ["body"];
};
