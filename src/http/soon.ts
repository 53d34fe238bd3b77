/** A value, or a promise of it where something has to be waited for. */
export type Soon<Value> = Value | Promise<Value>;

const isWaited = <Value>(value: Soon<Value>): value is Promise<Value> =>
  typeof (value as { then?: unknown } | undefined | null)?.then === "function";

/** Goes on with a value: at once where it is there, else when it comes. */
export const soon = <Given, Made>(
  value: Soon<Given>,
  next: (value: Given) => Soon<Made>,
): Soon<Made> => (isWaited(value) ? value.then(next) : next(value));

/** Runs work and goes on with its end, whether that is a value or an error. */
export const ended = <Given, Made>(
  work: () => Soon<Given>,
  done: (value: Given) => Soon<Made>,
  failed: (error: unknown) => Soon<Made>,
): Soon<Made> => {
  let value: Soon<Given>;
  try {
    value = work();
  } catch (error) {
    return failed(error);
  }
  return isWaited(value) ? value.then(done, failed) : done(value);
};

const rethrow = (error: unknown): never => {
  throw error;
};

/** Runs work, and something behind its end. */
export const lastly = <Given>(work: () => Soon<Given>, end: () => void): Soon<Given> =>
  ended(
    work,
    (value) => {
      end();
      return value;
    },
    (error) => {
      end();
      return rethrow(error);
    },
  );
