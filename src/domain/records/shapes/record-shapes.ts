import type * as z from "zod";
import type { Kind, Records } from "../records.ts";
import { AGENT_SHAPES } from "./agent-shapes.ts";
import { PARTY_SHAPES } from "./party-shapes.ts";
import { PAYMENT_SHAPES } from "./payment-shapes.ts";
import { PLATFORM_SHAPES } from "./platform-shapes.ts";
import { WALLET_SHAPES } from "./wallet-shapes.ts";

const MAKERS: { [K in Kind]: () => z.ZodType<Records[K]> } = {
  ...PARTY_SHAPES,
  ...PAYMENT_SHAPES,
  ...WALLET_SHAPES,
  ...AGENT_SHAPES,
  ...PLATFORM_SHAPES,
};

const made = new Map<Kind, z.ZodType>();

/** The shape of the records of a kind as they are stored; it is built at its first use. */
export const shapeOf = (kind: Kind): z.ZodType => {
  const known = made.get(kind) ?? MAKERS[kind]();
  made.set(kind, known);
  return known;
};
