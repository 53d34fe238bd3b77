/** Lets this turn of the event loop end. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const MOST_TURNS = 20_000;

/** Lets turns go by until something holds; a test waits for events, never for a span of time. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>) => {
  for (let count = 0; count < MOST_TURNS; count += 1) {
    if (await holds()) return;
    await turn();
  }
  throw new Error(`Expected ${what} but it did not come in ${MOST_TURNS} turns`);
};
