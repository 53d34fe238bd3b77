import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { JsonValue } from "./values.ts";

/** An object of the OpenAPI Specification 3.1 whose members the specification names. */
const Described = z.lazy(() => z.record(z.string(), JsonValue).meta({ id: "OpenApiObject" }));

const DescribedParts = named("OpenApiObjects", () => z.record(z.string(), Described));

/** Reply of GET /_sim/openapi.json and /_sim/control-openapi.json (OpenAPI 3.1, section 4.8.1). */
export const OpenApiDocument = named("OpenApiDocument", () =>
  z.object({
    openapi: z.literal("3.1.0"),
    info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
    servers: z.array(z.object({ url: z.string() })),
    security: z.array(z.record(z.string(), z.array(z.string()))),
    /** Operations by path and by method. */
    paths: DescribedParts,
    /** Calls that the platform makes, by the type of their event. */
    webhooks: DescribedParts.optional(),
    components: z.object({
      securitySchemes: DescribedParts,
      schemas: DescribedParts,
      parameters: DescribedParts.optional(),
      responses: DescribedParts,
      /** Documented errors, by the word that says which: their code, or their reason. */
      "x-errors": DescribedParts,
    }),
  }),
);

export type OpenApiDocument = z.infer<typeof OpenApiDocument>;
