/** The right reaction of a receiver to each faulty delivery (spec/webhooks.md#vectors). */
export const VECTORS = {
  "wrong-key": {
    what: "signed with an unknown key",
    expects: "refuse",
    isWrong: true,
  },
  "tampered-body": {
    what: "one character of the body changed after it was signed",
    expects: "refuse",
    isWrong: true,
  },
  "old-key": {
    what: "signed with the key that the last rotation retired",
    expects: "refuse",
    isWrong: true,
  },
  duplicate: {
    what: "the same event twice: same id, same bytes",
    expects: "take",
    isWrong: false,
  },
  reordered: {
    what: "three events of one payment in the wrong order",
    expects: "take",
    isWrong: false,
  },
  delayed: {
    what: "an event that is sent late",
    expects: "wait",
    isWrong: false,
  },
  dropped: {
    what: "an event that is never sent",
    expects: "wait",
    isWrong: false,
  },
} as const satisfies Record<
  string,
  { what: string; expects: "refuse" | "take" | "wait"; isWrong: boolean }
>;

export type Vector = keyof typeof VECTORS;

export const VECTOR_NAMES = Object.keys(VECTORS) as [Vector, ...Vector[]];

/**
 * Origins of a delivery made by hand: triggered by name, a vector, or a copy with a common mistake
 * in its signature. The copies show which mistake a receiver makes.
 */
export const LAB_KINDS = ["triggered", "mistaken", ...VECTOR_NAMES] as const;
export type LabKind = (typeof LAB_KINDS)[number];

/** Tells if a delivery is wrong on purpose, so that a receiver that checks it rejects it. */
export const isWrongOnPurpose = (kind: LabKind | undefined) =>
  kind === "mistaken" || (kind !== undefined && kind !== "triggered" && VECTORS[kind].isWrong);
