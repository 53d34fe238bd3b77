const BUILT_IN: ReadonlySet<unknown> = new Set([
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
  EvalError,
  URIError,
]);

/** Tells an error of Node.js or of its engine, whose words differ between versions. */
const isOfTheMachine = (error: Error & { code?: unknown }) =>
  BUILT_IN.has(error.constructor) ||
  error instanceof DOMException ||
  (error.constructor === Error && error.code !== undefined);

/**
 * The words of an error that a bundled package made, which are the same everywhere; others are
 * replaced (spec/clock.md#determinism).
 */
export const stableWords = (error: unknown, otherwise: string): string =>
  error instanceof Error && !isOfTheMachine(error) ? error.message : otherwise;
