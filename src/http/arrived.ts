import { getRouterParams, type H3, H3Event } from "h3";
import type { HttpRequest } from "./http-request.ts";
import { type RequestUrl, urlOf } from "./request-url.ts";

/** A request on its way through the app, which finds its route by method and path. */
export class Arrived {
  readonly req: HttpRequest;
  readonly url: RequestUrl;
  /** Filled in by h3: the parameters of the route's path, as they were sent. */
  readonly context: { params?: Record<string, string> } = {};
  private decoded: Record<string, string> | undefined;

  constructor(req: HttpRequest, url: RequestUrl) {
    this.req = req;
    this.url = url;
  }

  /** Parameters of the path: `Quote%3A1` is `Quote:1`; an encoded slash stays encoded. */
  get params(): Record<string, string> {
    this.decoded ??= getRouterParams(this.event, { decode: true }) as Record<string, string>;
    return this.decoded;
  }

  /** The path of an endpoint with these parameters: `Quote:1` and `Quote%3A1` are one. */
  pathOf({ path }: { path: string }) {
    return path.replace(/\{(\w+)\}/g, (_, name: string) => this.params[name] ?? "");
  }

  /** Itself, as h3 calls it: of an event it reads method, path and context. */
  get event() {
    return this as unknown as H3Event;
  }
}

/** The address with one spelling for each path: `%63onfig` is `config`; nothing for a broken one. */
const canonical = (url: RequestUrl): RequestUrl | undefined => {
  if (!url.pathname.includes("%")) return url;
  try {
    decodeURI(url.pathname);
  } catch {
    return undefined;
  }
  // Of a request, the event of h3 reads the address alone.
  return new H3Event({ url: url.origin + url.pathname + url.search } as never).url;
};

/** A request that can be routed, or why it cannot. */
export const arrived = (req: HttpRequest): Arrived | string => {
  const url = urlOf(req);
  if (!url) return "The request names neither a path nor a web address";
  const one = canonical(url);
  return one ? new Arrived(req, one) : "The path is not percent-encoded";
};

/** A place of the app: a path with `:name` for parameters, and a method, or all of them. */
interface Place {
  method?: string;
  path: string;
}

/** Has the requests of a place answered. */
export const route = (
  app: H3,
  { method = "", path }: Place,
  answer: (event: Arrived) => unknown,
): void => {
  app.on(method as Parameters<H3["on"]>[0], path, (event) => answer(event as unknown as Arrived));
};
