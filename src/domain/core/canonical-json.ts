const HEX_KEY = /^04[0-9a-f]{128}$/i;

/** JSON with members sorted by name, and client keys in lower case. */
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
 * A body as text that is the same for equal bodies. The order of members does not count, and client
 * keys are compared by their bytes (spec/signed-retry.md#changed-body). A missing body counts as an
 * empty one.
 */
export const canonicalJson = (body: unknown): string => JSON.stringify(canonical(body ?? {}));

/** Names of the members in which two canonical texts differ; `body` if there is none to name. */
export const changedMembers = (before: string, after: string): string[] => {
  if (before === after) return [];
  const [a, b] = [before, after].map((text) => JSON.parse(text) as Record<string, unknown>);
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  const changed = names.filter((name) => JSON.stringify(a?.[name]) !== JSON.stringify(b?.[name]));
  return changed.length > 0 ? changed : ["body"];
};
