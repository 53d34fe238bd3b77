import type { H3 } from "h3";
import { Refusal } from "../domain/core/refusal.ts";
import { toResponse } from "./reply.ts";
import type { Surface } from "./routes.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";

/**
 * Answers paths outside both surfaces with 404 and their places
 * (spec/errors.md#unknown-operations).
 */
export const mountUnknownPaths = <World extends ServedWorld>(
  app: H3,
  [platform, control]: readonly [Surface<World>, Pick<Surface<World>, "base">],
  worlds: WorldSet<World>,
) => {
  app.all("/**", (event) => {
    const { pathname: path } = event.url;
    const refusal = new Refusal(
      "UNKNOWN_OPERATION",
      { path, closest: `GET ${platform.base}/config` },
      `There is no operation ${event.req.method} ${path}: the platform is under ${platform.base}, ` +
        `the control surface under ${control.base}`,
    );
    const world = worlds.starting;
    return toResponse(platform.errorReply(refusal, world), world.engine.clock.now());
  });
};

/** Gives the published shape to h3's refusal of broken percent-encoding, which precedes any route. */
export const badPathReply =
  <World extends ServedWorld>({ errorReply }: Surface<World>, { starting }: WorldSet<World>) =>
  (_error: unknown) => {
    const refusal = new Refusal("INVALID_REQUEST_FORMAT", {}, "The path is not percent-encoded");
    return toResponse(errorReply(refusal, starting), starting.engine.clock.now());
  };
