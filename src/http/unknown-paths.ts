import type { H3 } from "h3";
import { Refusal } from "../domain/core/refusal.ts";
import type { Engine } from "../runtime/engine.ts";
import { toResponse } from "./reply.ts";
import type { Surface } from "./routes.ts";

/**
 * Answers paths outside both surfaces with 404 and their places
 * (spec/errors.md#unknown-operations).
 */
export const mountUnknownPaths = (
  app: H3,
  surfaces: readonly [Surface, Surface],
  engine: Engine,
) => {
  const [platform, control] = surfaces;
  app.all("/**", (event) => {
    const { pathname: path } = event.url;
    const refusal = new Refusal(
      "UNKNOWN_OPERATION",
      { path, closest: `GET ${platform.base}/config` },
      `There is no operation ${event.req.method} ${path}: the platform is under ${platform.base}, ` +
        `the control surface under ${control.base}`,
    );
    return toResponse(platform.errorReply(refusal), engine.clock.now());
  });
};

/** Gives the published shape to h3's refusal of broken percent-encoding, which precedes any route. */
export const badPathReply =
  ({ errorReply }: Surface, engine: Engine) =>
  () => {
    const refusal = new Refusal("INVALID_REQUEST_FORMAT", {}, "The path is not percent-encoded");
    return toResponse(errorReply(refusal), engine.clock.now());
  };
