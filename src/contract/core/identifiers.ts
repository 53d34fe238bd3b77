import * as z from "zod";

/** Kinds of `<Kind>:<uuid>` identifiers (spec/clock.md#ids). */
export const ID_KINDS = [
  "Agent",
  "AgentAction",
  "AuthMethod",
  "BeneficialOwner",
  "Card",
  "CardFundingSource",
  "CardTransaction",
  "Customer",
  "DelegatedKey",
  "Document",
  "ExternalAccount",
  "InternalAccount",
  "Job",
  "Lookup",
  "PlatformConfig",
  "Quote",
  "Request",
  "Session",
  "Token",
  "Transaction",
  "Verification",
  "Webhook",
] as const;

export type IdKind = (typeof ID_KINDS)[number];

/**
 * Any text: ids in bodies and paths are opaque, and rules answer unknown ones
 * (spec/errors.md#ids-in-a-path).
 */
export const AnyId = z.string();

const idShapes = new Map<IdKind, z.ZodLazy<z.ZodString>>();

const idShape = (kind: IdKind) =>
  z.lazy(() =>
    z
      .string()
      .regex(new RegExp(`^${kind}:[0-9a-f-]{36}$`))
      .meta({ id: `${kind}Id` }),
  );

/**
 * An id as the service writes it. Each kind has a shape of its own, since a shape's id is unique.
 */
export const idOf = (kind: IdKind) => {
  const shape = idShapes.get(kind) ?? idShape(kind);
  idShapes.set(kind, shape);
  return shape;
};
