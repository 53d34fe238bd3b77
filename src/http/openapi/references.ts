/** A place in the same document: `#/components/responses/Unauthorized`. */
interface Reference {
  $ref: string;
}

const isReference = (part: object): part is Reference => "$ref" in part;

/**
 * A part of an OpenAPI document; where it is a reference, the part that is meant.
 * @throws Error when the document has no such part
 */
export const wholePart = <Part extends object>(part: Part | Reference, document: object): Part => {
  if (!isReference(part)) return part;
  const steps = part.$ref.split("/").slice(1);
  const target = steps.reduce<unknown>(
    (inside, step) => (inside as Record<string, unknown> | undefined)?.[step],
    document,
  );
  if (target === undefined) throw new Error(`Expected ${part.$ref} in the document`);
  return wholePart(target as Part | Reference, document);
};
