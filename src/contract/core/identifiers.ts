import * as z from "zod";

/** Kinds of `<Kind>:<uuid>` identifiers (contract 0-service, Conventions; platform digest 1.1). */
export const ID_KINDS = [
  "Agent",
  "AgentAction",
  "AuthMethod",
  "BeneficialOwner",
  "Card",
  "CardTransaction",
  "Customer",
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

/** Ids in bodies and paths are opaque text: what matches nothing is answered by the rules. */
export const AnyId = z.string();

const idShapes = new Map<IdKind, z.ZodLazy<z.ZodString>>();

const idShape = (kind: IdKind) =>
  z.lazy(() =>
    z
      .string()
      .regex(new RegExp(`^${kind}:[0-9a-f-]{36}$`))
      .meta({ id: `${kind}Id` }),
  );

/** An id as the service writes it. One shape per kind, since shapes with an id are unique. */
export const idOf = (kind: IdKind) => {
  const shape = idShapes.get(kind) ?? idShape(kind);
  idShapes.set(kind, shape);
  return shape;
};
