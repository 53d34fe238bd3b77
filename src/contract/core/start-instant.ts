/** The first and the last year that a world may start in (spec/clock.md#modes). */
export const START_YEARS = { first: 1970, last: 2200 } as const;

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<offset>[Zz]|[+-]\d{2}:\d{2})?$/;

/** Refuses days that do not exist: JavaScript reads 31 February as 3 March. */
const isCalendarDay = (day: string) => {
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day);
};

/**
 * The instant at which a new world starts, epoch milliseconds; otherwise what it has to be. Without
 * an offset it would be another instant in each time zone.
 */
export const startInstantOf = (text: string): number | string => {
  const match = INSTANT.exec(text);
  const atMs = Date.parse(text);
  if (!match || !isCalendarDay(match[1] ?? "")) return "an instant like 2026-01-05T09:00:00Z";
  if (match.groups?.offset === undefined)
    return `an instant with Z or an offset, like ${text}Z or ${text}+02:00,`;
  if (Number.isNaN(atMs)) return "an instant like 2026-01-05T09:00:00Z";
  const year = new Date(atMs).getUTCFullYear();
  return year >= START_YEARS.first && year <= START_YEARS.last
    ? atMs
    : `an instant in the years ${START_YEARS.first} to ${START_YEARS.last}`;
};
