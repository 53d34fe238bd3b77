import * as z from "zod";
import { refuse } from "../../domain/core/refusal.ts";
import { endpoint } from "../../http/endpoint.ts";
import type { WorldControl } from "../core/world-control.ts";
import { checkFixture } from "./fixture-check.ts";
import { openBundled } from "./fixture-files.ts";
import { FixtureTextError } from "./fixture-text.ts";
import { providerEndpoints } from "./seed-provider.ts";

const SeedInput = z.lazy(() =>
  z
    .object({
      fixture: z.unknown().optional(),
      name: z.string().optional(),
    })
    .refine(
      ({ fixture, name }) => (fixture === undefined) !== (name === undefined),
      "Expected one of fixture and name",
    ),
);

const SeedReply = z.looseObject({
  fixture: z.string(),
  steps: z.array(z.looseObject({})),
  names: z.record(z.string(), z.string()),
});

/** A world of the package by its name: a path would be one of this machine, not of the caller's. */
const bundled = async (name: string) => {
  try {
    return (await openBundled(name)).fixture;
  } catch (error) {
    if (!(error instanceof FixtureTextError)) throw error;
    return refuse("INVALID_INPUT", { field: "name", value: name }, error.message);
  }
};

/** Filling a world with a fixture. */
export const seedEndpoints = (control: WorldControl) => {
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: each is tried on the world that the one before it left. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
  return [
    ...providerEndpoints(),
    endpoint({
      operationId: "seed",
      summary: "Put a fixture in: tried on a copy of the world, then all at once, or refused",
      method: "POST",
      path: "/seed",
      permission: "none",
      body: SeedInput,
      replies: [200, SeedReply],
      refuses: ["INVALID_INPUT", "UNAVAILABLE"],
      handle: async ({ body: { fixture, name } }, call) => {
        const checked = name === undefined ? checkFixture(fixture) : await bundled(name);
        const report = await inTurn(() => control.seed(checked));
        call.sawEverything();
        return report;
      },
    }),
  ];
};
