import { getRouterParams, type H3Event } from "h3";
import type { Revision } from "../../contract/core/revision-names.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { ServedElsewhere } from "../../runtime/served-elsewhere.ts";
import type { HttpRequest } from "../message/http-request.ts";
import type { Reply } from "../message/reply.ts";
import type { RequestUrl } from "../message/request-url.ts";
import { type RequestTap, tapOf } from "../message/tapped-request.ts";
import { Call } from "./call.ts";
import type { Endpoint, EndpointInput } from "./endpoint.ts";
import type { StruckFault } from "./fault-injection.ts";
import type { HeldKey } from "./idempotency.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";
import type { Surface } from "./surface.ts";

/** A request as h3 routes it: it reads method and path, and fills in the parameters. */
export interface RoutedRequest {
  req: HttpRequest;
  url: RequestUrl;
  context: { params?: Record<string, string> };
}

/** The operation at a path, or the refusal of a path or method without one. */
export interface Route {
  surface: Surface<ServedWorld>;
  worlds: WorldSet<ServedWorld>;
  operation?: Endpoint<ServedWorld>;
  /** @throws Refusal, always */
  refuse?: (request: RoutedRequest, revision: Revision) => never;
}

/** One request on its way to its reply: all that its checks find out about it, in their order. */
export class Exchange {
  readonly routed: RoutedRequest;
  readonly route: Route;
  readonly tap: RequestTap | undefined;
  private decoded: Record<string, string> | undefined;
  /** The world that it means. Where none was found: the default one, which reports the refusal. */
  world: ServedWorld;
  /** The reason why its world was not found; the check `admit` throws it, behind a fault. */
  locateError: unknown;
  /** Set when its rule met a world that another process serves, before it changed anything. */
  servedElsewhere: ServedElsewhere | undefined;
  /** The fault switch that strikes it; `applyTo` changes its reply at the end. */
  fault: StruckFault | undefined;
  /** Made once its world is open. */
  call!: Call;
  startedMs = 0;
  /** Its operation as the revision of its world has it; set where there is one. */
  endpoint!: Endpoint<ServedWorld>;
  /** Its body in our own words. */
  body: unknown;
  /** Its idempotency key, while no other call may use it. */
  heldKey: HeldKey | undefined;
  /** Set once its operation has begun: refusals from then on show the values that were sent. */
  hasBegun = false;
  input!: EndpointInput;
  /** Ends the checks. */
  reply: Reply | undefined;
  /** Whether the reply tells nothing of the world, so that it waits for no change. */
  showsNothing = false;

  constructor(route: Route, routed: RoutedRequest) {
    this.route = route;
    this.routed = routed;
    this.tap = tapOf(routed.req);
    this.world = route.worlds.starting;
  }

  get request() {
    return this.routed.req;
  }

  get url() {
    return this.routed.url;
  }

  /** Parameters of the path: `Quote%3A1` is `Quote:1`; an encoded slash stays encoded. */
  get params(): Record<string, string> {
    const event = this.routed as unknown as H3Event;
    this.decoded ??= getRouterParams(event, { decode: true }) as Record<string, string>;
    return this.decoded;
  }

  /** The path of its operation with these parameters: `Quote:1` and `Quote%3A1` are one. */
  get path() {
    const { path = "" } = this.route.operation ?? {};
    return path.replace(/\{(\w+)\}/g, (_, name: string) => this.params[name] ?? "");
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined;
  }

  /** Begins the call in the world that was found. */
  begin() {
    const { world, tap, url } = this;
    this.startedMs = hostTime.monotonicMs();
    const next = world.reports.nextRequestId();
    const operationId = this.route.operation?.operationId ?? "none";
    this.call = new Call({ requestId: tap?.id ?? next, operationId, url, world, find: tap?.find });
  }
}
