/** The last digits of an id that is a UUID; enough to find its record. */
const TAIL = /^[A-Za-z]+:[0-9a-f-]{30}([0-9a-f]{6})$/;

/** Place in the console of a record, request or webhook, short enough for a terminal. */
export const placeOfAny = (id: string) => `/why/${encodeURIComponent(TAIL.exec(id)?.[1] ?? id)}`;

/**
 * Address of a place in the console (spec/console.md#page).
 * @param origin of the simulator, like `http://127.0.0.1:4747`
 * @param world left out for the default world
 */
export const consoleLink = (origin: string, place: string, world?: string) => {
  const search = world === undefined ? "" : `?world=${encodeURIComponent(world)}`;
  return `${origin}/_sim/console/${search}#${place}`;
};
