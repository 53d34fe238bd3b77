import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** Reply of GET and PUT /_sim/rates: units of each currency for one US dollar. */
export const Rates = named("UsdRates", () =>
  z.object({ perUsd: z.record(z.string(), z.string()) }),
);
