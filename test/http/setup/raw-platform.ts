import { beforeEach } from "vitest";
import { type KnownIds, populate } from "../../api/setup/populated.ts";
import { preparedOnce, worldPerTest } from "../../api/setup/world-per-test.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { exchange, type RawAnswer, type RawRequest } from "./raw-socket.ts";

export const BASE = "/2025-10-13";

/** A world with records of each kind, behind a port; call each part while a test runs. */
export interface RawPlatform {
  world: () => TestSimulator;
  ids: () => KnownIds;
  port: () => number;
  /** The line of the platform's own credentials. */
  authorization: () => string;
  /** Asks the platform as the client id; the target is below its base. */
  ask(target: string, request?: Omit<RawRequest, "target">): Promise<RawAnswer>;
}

/** Opens a populated world before each test of a file, and a port to it. */
export const rawPlatform = (): RawPlatform => {
  const world = worldPerTest();
  const populated = preparedOnce(populate);
  let ids: KnownIds = {};
  let port = 0;
  let authorization = "";
  beforeEach(async () => {
    ids = await populated(world());
    const { sim } = world();
    ({ port } = await sim.listen());
    authorization = `authorization: Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  });
  return {
    world,
    ids: () => ids,
    port: () => port,
    authorization: () => authorization,
    ask: (target, { headers = [], ...request } = {}) =>
      exchange(port, { ...request, target: BASE + target, headers: [authorization, ...headers] }),
  };
};

/** The header lines of a JSON body. */
export const jsonLines = (body: string): readonly string[] => [
  "content-type: application/json",
  `content-length: ${Buffer.byteLength(body, "latin1")}`,
];

/** Headers but for those that belong to one call. */
export const lasting = ({ headers }: RawAnswer) => {
  const { "x-sim-request-id": _ofTheCall, ...others } = headers;
  return others;
};
