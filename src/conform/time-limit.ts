import { createContext, Script } from "node:vm";

const context: { work?: () => unknown } = {};
createContext(context);
const script = new Script("work()");

/** Stands for work that was stopped. */
export const TOO_LONG = Symbol("too long");

/**
 * Does work that may take without end: a regular expression, a union of unions. The work is stopped
 * wherever it is, so it must keep nothing half done.
 */
export const withinTime = <Result>(
  limitMs: number,
  work: () => Result,
): Result | typeof TOO_LONG => {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return TOO_LONG;
    throw error;
  } finally {
    delete context.work;
  }
};
