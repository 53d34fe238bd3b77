/** A bug of our own: it stops the world instead of being ignored. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
  readonly invariant: string;
  readonly values: Record<string, unknown>;

  constructor(invariant: string, values: Record<string, unknown>) {
    super(`Expected ${invariant} but found ${JSON.stringify(values)}`);
    this.invariant = invariant;
    this.values = values;
  }
}

/**
 * Throws unless a condition holds.
 * @param invariant the condition in words, as it reads after «Expected»
 */
export function assertInvariant(
  holds: boolean,
  invariant: string,
  values: Record<string, unknown> = {},
): asserts holds {
  if (!holds) throw new InvariantViolation(invariant, values);
}
