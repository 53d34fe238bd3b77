import * as z from "zod";
import { enumOf } from "./named-shape.ts";
import { TROUBLE_NAMES, type Trouble } from "./trouble-names.ts";

/** Most webhooks that one trouble meets; those of `reorder` wait for each other. */
export const MAX_TIMES = 1000;

const Times = z.int().min(1).max(MAX_TIMES);

/** Members of a trouble, but for the record that it may be about. */
export const troubleFields = () => ({
  do: enumOf("WebhookTrouble", TROUBLE_NAMES),
  type: z.string().optional().describe("only webhooks of this type"),
  times: Times.optional().describe("number of webhooks: 1, for reorder 2, for hold all"),
  by: z.string().optional().describe("only for delay: simulated time, 10m by default"),
  anyRecord: z
    .boolean()
    .optional()
    .describe("only for reorder: webhooks of different records, not of one"),
});

interface Fields {
  do: Trouble;
  by?: string | undefined;
  times?: number | undefined;
  anyRecord?: boolean | undefined;
}

/** Whether `by` is given only where it means something. */
export const byFits = ({ do: does, by }: Fields) => by === undefined || does === "delay";
export const BY_MISFIT = { path: ["by"], message: "Expected by only with delay" };

/** Whether `anyRecord` is given only where it means something. */
export const anyRecordFits = ({ do: does, anyRecord }: Fields) =>
  anyRecord === undefined || does === "reorder";
export const ANY_RECORD_MISFIT = {
  path: ["anyRecord"],
  message: "Expected anyRecord only with reorder",
};

/** Whether there are enough webhooks to reorder. */
export const timesFit = ({ do: does, times }: Fields) => does !== "reorder" || times !== 1;
export const TIMES_MISFIT = { path: ["times"], message: "Expected at least 2 webhooks to reorder" };

/** A trouble of a fixture, which is set before there is a record for it to be about. */
export const FixtureTrouble = z.lazy(() =>
  z
    .strictObject(troubleFields())
    .refine(byFits, BY_MISFIT)
    .refine(anyRecordFits, ANY_RECORD_MISFIT)
    .refine(timesFit, TIMES_MISFIT),
);

/** Names of its members. */
export const fixtureTroubleMembers = () => Object.keys(troubleFields());
