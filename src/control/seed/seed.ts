import * as z from "zod";
import { SeedProgress, SeedReport } from "../../contract/control/seed.ts";
import { named } from "../../contract/core/named-shape.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { checkFixture } from "../../scripts/fixture-check.ts";
import { openBundled } from "../../scripts/script-files.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { providerEndpoints } from "./seed-provider.ts";

const FIXTURE = "A fixture; service-sim seed --schema prints its JSON Schema";

const SeedInput = named("SeedInput", () =>
  z
    .object({
      // Checked by itself, which tells the place of a mistake.
      fixture: z
        .unknown()
        .optional()
        .meta({ type: "object", additionalProperties: {}, description: FIXTURE }),
      name: z.string().optional(),
      // Checked as a member of a fixture.
      generate: z.unknown().optional().meta({
        type: "object",
        additionalProperties: {},
        description: "Records to generate, as in a fixture",
      }),
    })
    .refine(
      ({ fixture, name, generate }) =>
        [fixture, name, generate].filter((form) => form !== undefined).length === 1,
      "Expected one of fixture, name and generate",
    ),
);

/** Name of a fixture that consists of generated records. */
const GENERATED = "generated";

/** Opens a bundled fixture by its name: a path would be one of this machine, not the caller's. */
const bundled = async (name: string) => {
  try {
    return (await openBundled(name)).fixture;
  } catch (error) {
    if (!(error instanceof ScriptTextError)) throw error;
    return refuse("INVALID_INPUT", { field: "name", value: name }, error.message);
  }
};

/** Filling a world with a fixture. */
export const seedEndpoints = [
  ...providerEndpoints,
  endpoint({
    operationId: "seedProgress",
    summary: "Progress of records that are being generated",
    method: "GET",
    path: "/seed",
    replies: [200, SeedProgress],
    refuses: [],
    isAtOnce: true,
    handle: (_input, _call, world): SeedProgress => world.seedProgress() ?? { done: 0, total: 0 },
  }),
  endpoint({
    operationId: "seed",
    summary: "Load a fixture: tried on a copy of the world, then loaded whole, or refused",
    method: "POST",
    path: "/seed",
    body: SeedInput,
    replies: [200, SeedReport],
    refuses: ["INVALID_INPUT", "UNAVAILABLE"],
    handle: async ({ body: { fixture, name, generate } }, call, world) => {
      const document = generate === undefined ? fixture : { name: GENERATED, generate };
      const checked = name === undefined ? checkFixture(document) : await bundled(name);
      const report = await world.seed(checked);
      call.sawEverything();
      return report;
    },
  }),
];
