/**
 * A value, or a promise of it where something has to be waited for. What waits for nothing is
 * answered in the turn that brought it (decisions/answers-at-once.md).
 */
export type MaybePromise<Value> = Value | Promise<Value>;

export const isPromise = <Value>(value: MaybePromise<Value>): value is Promise<Value> =>
  typeof (value as { then?: unknown } | undefined | null)?.then === "function";

/** Continues with a value: at once where it is there, else when it comes. */
export const andThen = <Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> => (isPromise(value) ? value.then(next) : next(value));

/** Runs work, and continues with its value or its error. */
export const settle = <Value, Next>(
  work: () => MaybePromise<Value>,
  done: (value: Value) => MaybePromise<Next>,
  failed: (error: unknown) => MaybePromise<Next>,
): MaybePromise<Next> => {
  let value: MaybePromise<Value>;
  try {
    value = work();
  } catch (error) {
    return failed(error);
  }
  return isPromise(value) ? value.then(done, failed) : done(value);
};

/** Runs work, and something behind its end. */
export const andFinally = <Value>(
  work: () => MaybePromise<Value>,
  end: () => void,
): MaybePromise<Value> =>
  settle(
    work,
    (value) => {
      end();
      return value;
    },
    (error) => {
      end();
      throw error;
    },
  );
