import * as z from "zod";

/** Kinds of `<Kind>:<uuid>` identifiers (contract 0-service, Conventions; platform digest 1.1). */
export const ID_KINDS = [
  "Customer",
  "ExternalAccount",
  "InternalAccount",
  "PlatformConfig",
  "Quote",
  "Token",
  "Transaction",
  "Webhook",
] as const;

export type IdKind = (typeof ID_KINDS)[number];

/** Ids in bodies and paths are opaque text: what matches nothing is answered by the rules. */
export const AnyId = z.string();

/** An id as the service writes it. */
export const idOf = (kind: IdKind) =>
  z
    .string()
    .regex(new RegExp(`^${kind}:[0-9a-f-]{36}$`))
    .meta({ id: `${kind}Id` });
