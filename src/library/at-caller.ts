type Call = (this: unknown, ...args: never[]) => unknown;

const hasLines = (stack: string | undefined) => /\n\s+at /.test(stack ?? "");

/**
 * Has the stack of an error begin at the line that called: lines of this package help nobody who
 * reads a failed test.
 * @param below the innermost function that is left out
 * @param site stack of the call, for an error that comes later
 */
const retold = (error: unknown, below: Call, site?: { stack?: string }): unknown => {
  if (!(error instanceof Error) || Object.isFrozen(error)) return error;
  // Node.js quotes the line where a stack begins, whatever text the stack has.
  Error.captureStackTrace(error, below);
  if (hasLines(site?.stack))
    error.stack = `${error.name}: ${error.message}${site?.stack?.replace(/^[^\n]*/, "")}`;
  return error;
};

/** Waits for a call in a function of its own, so that its errors come from no deeper. */
const awaited = async (result: PromiseLike<unknown>, site: { stack?: string }) => {
  try {
    return await result;
  } catch (error) {
    throw retold(error, awaited, site);
  }
};

const isPromise = (value: unknown): value is Promise<unknown> =>
  Object.prototype.toString.call(value) === "[object Promise]";

/** The same function, whose errors are those of the line that called it (spec/library.md#errors). */
export const atCaller = <Told extends Call>(call: Told): Told => {
  function wrapper(this: unknown, ...args: never[]) {
    const site: { stack?: string } = {};
    Error.captureStackTrace(site, wrapper);
    let result: unknown;
    try {
      result = call.apply(this, args);
    } catch (error) {
      throw retold(error, wrapper);
    }
    return isPromise(result) ? awaited(result, site) : result;
  }
  return Object.defineProperty(wrapper, "name", { value: call.name }) as Told;
};

const isCall = (value: unknown): value is Call => typeof value === "function";

/** The same object of functions, each with its errors at the line of the caller. */
const callsAtCaller = (calls: object) =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, isCall(call) ? atCaller(call) : call]),
  );

/**
 * Has every method of a class tell its errors at the line of the caller, and every function of what
 * its getters return.
 * @param groups names of getters that return objects of functions
 */
export const tellAtCaller = (
  { prototype }: { prototype: object },
  groups: readonly string[] = [],
) => {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const { value, get } = descriptor;
    if (name !== "constructor" && isCall(value))
      Object.defineProperty(prototype, name, { ...descriptor, value: atCaller(value) });
    if (get && groups.includes(name))
      Object.defineProperty(prototype, name, {
        ...descriptor,
        get() {
          return callsAtCaller(get.call(this));
        },
      });
  }
};
