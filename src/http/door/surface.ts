import type { Refusal } from "../../domain/core/refusal.ts";
import type { HttpRequest } from "../message/http-request.ts";
import type { Reply } from "../message/reply.ts";
import type { Caller } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import type { WorldRequest, WorldSet } from "./served-world.ts";

/** A half of the HTTP surface: where it is mounted, who may enter, how its errors look. */
export interface Surface<World> {
  base: string;
  endpoints: readonly Endpoint<World>[];
  /** Its requests are kept out of the log. */
  isUnlogged?: true;
  /** Fault switches strike its calls. */
  takesFaults?: true;
  /**
   * Finds the world that a request means. Refuses credentials that are wrong, and names of worlds
   * that are not there; the default world then tells of it.
   */
  locate(
    worldRequest: WorldRequest,
    endpoint: Endpoint<World> | undefined,
    worlds: WorldSet<World>,
  ): World | Promise<World>;
  /** Refuses whoever may not call; runs before anything of the request is read. */
  admit(request: HttpRequest, endpoint: Endpoint<World> | undefined, world: World): Caller;
  errorReply(error: Refusal, world: World): Reply;
}
