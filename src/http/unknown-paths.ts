import type { H3 } from "h3";
import { Refusal } from "../domain/core/refusal.ts";
import { route } from "./arrived.ts";
import { type WholeReply, wholeReply } from "./reply.ts";
import { meantMethod } from "./request-line.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";
import type { Surface } from "./surface.ts";

/**
 * Answers paths outside both surfaces with 404 and their places
 * (spec/errors.md#unknown-operations).
 */
export const mountUnknownPaths = <World extends ServedWorld>(
  app: H3,
  [platform, control]: readonly [Surface<World>, Pick<Surface<World>, "base">],
  worlds: WorldSet<World>,
) => {
  route(app, { path: "/**" }, (event) => {
    const { pathname: path } = event.url;
    const refusal = new Refusal(
      "UNKNOWN_OPERATION",
      { path, closest: `GET ${platform.base}/config` },
      `There is no operation ${meantMethod(event.req)} ${path}: the platform is under ${platform.base}, ` +
        `the control surface under ${control.base}`,
    );
    const world = worlds.starting;
    return wholeReply(platform.errorReply(refusal, world), world.engine.clock.now());
  });
};

/** Answers a request that names no path. */
export const badPathReply = <World extends ServedWorld>(
  { errorReply }: Surface<World>,
  { starting }: WorldSet<World>,
  why: string,
): WholeReply => {
  const refusal = new Refusal("INVALID_REQUEST_FORMAT", {}, why);
  return wholeReply(errorReply(refusal, starting), starting.engine.clock.now());
};
