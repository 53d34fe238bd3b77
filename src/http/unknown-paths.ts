import type { H3 } from "h3";
import { Refusal } from "../domain/core/refusal.ts";
import type { Engine } from "../runtime/engine.ts";
import { toResponse } from "./reply.ts";
import type { Surface } from "./routes.ts";

/** Answers what is below no base, in the first surface's shape: it tells where things are. */
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
      `No operation is ${event.req.method} ${path}: the platform is below ${platform.base}, ` +
        `the control surface below ${control.base}`,
    );
    return toResponse(platform.errorReply(refusal), engine.clock.now());
  });
};

/** h3 refuses broken percent-encoding before any route: this gives it the published shape. */
export const badPathReply =
  ({ errorReply }: Surface, engine: Engine) =>
  () => {
    const refusal = new Refusal("INVALID_REQUEST_FORMAT", {}, "The path is not percent-encoded");
    return toResponse(errorReply(refusal), engine.clock.now());
  };
