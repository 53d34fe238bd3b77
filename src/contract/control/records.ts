import * as z from "zod";
import { PageQuery } from "../core/lists.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { RECORD_KINDS } from "./record-kinds.ts";
import { JsonValue, MinorAmount } from "./values.ts";

const Kind = z.lazy(() => enumOf("RecordKind", RECORD_KINDS));

/** Query of GET /_sim/records (spec/console.md#records). */
export const RecordsQuery = {
  ...PageQuery,
  kind: Kind.optional(),
  /** Type of an account or a payment, such as `EMBEDDED_WALLET`. */
  type: z.string().optional(),
  q: z.string().optional(),
};

/** A record in short. */
export const RecordRow = z.lazy(() =>
  z
    .object({
      id: z.string(),
      kind: Kind,
      name: z.string().optional(),
      status: z.string().optional(),
      /** Type of an account or a payment. */
      type: z.string().optional(),
      createdAt: Instant.optional(),
      balance: MinorAmount.optional(),
      /** Of a payment or a purchase. */
      amount: MinorAmount.optional(),
      /** The record that it belongs to. */
      owner: z.string().optional(),
    })
    .meta({ id: "RecordRow" }),
);

export type RecordRow = z.infer<typeof RecordRow>;

/** Reply of GET /_sim/records, the newest first. */
export const RecordList = named("RecordList", () =>
  z.object({
    data: z.array(RecordRow),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    /** All records of each kind. */
    counts: z.record(z.string(), z.int()),
  }),
);

export type RecordList = z.infer<typeof RecordList>;

/** Reply of GET /_sim/records/{recordId}: the record as the platform shows it. */
export const WholeRecord = named("RecordDetails", () =>
  z.object({
    id: z.string(),
    kind: Kind,
    name: z.string().optional(),
    status: z.string().optional(),
    type: z.string().optional(),
    balance: MinorAmount.optional(),
    owner: z.string().optional(),
    record: JsonValue,
    /** Records that belong to it, or that it belongs to. */
    related: z.array(RecordRow),
  }),
);

export type WholeRecord = z.infer<typeof WholeRecord>;
