/** Raised when a history breaks a rule that all histories must keep. */
export class Breach extends Error {
  override readonly name = "Breach";
}

/** Requires a rule of all histories. */
export function must(holds: boolean, says: () => string): asserts holds {
  if (!holds) throw new Breach(says());
}
