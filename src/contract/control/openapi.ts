import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { JsonValue } from "./values.ts";

/** An object of the OpenAPI Specification 3.1 whose members the specification names. */
const Described = z.lazy(() => z.record(z.string(), JsonValue).meta({ id: "OpenApiObject" }));

/** Reply of GET /_sim/openapi.json and /_sim/control-openapi.json (OpenAPI 3.1, section 4.8.1). */
export const OpenApiDocument = named("OpenApiDocument", () =>
  z.object({
    openapi: z.literal("3.1.0"),
    info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
    servers: z.array(z.object({ url: z.string() })),
    security: z.array(z.record(z.string(), z.array(z.string()))),
    /** Operations by path and by method. */
    paths: z.record(z.string(), z.record(z.string(), Described)),
    components: z.object({
      securitySchemes: z.record(z.string(), Described),
      schemas: z.record(z.string(), Described),
    }),
  }),
);

export type OpenApiDocument = z.infer<typeof OpenApiDocument>;
