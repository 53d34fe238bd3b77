import { H3Event } from "h3";
import { type HttpRequest, SocketRequest } from "./http-request.ts";

/** The parts of a request's address. */
export type RequestUrl = Pick<URL, "origin" | "pathname" | "search" | "searchParams">;

/** A target that stands for itself: nothing in it is escaped, resolved or cut off. */
const PLAIN = /^(\/[\w~:@!$&()*+,;=./-]*)(\?[\w~:@!$&()*+,;=.%/?-]*)?$/;

/** The address of a plain target. Parsing a whole one costs more than most calls need. */
class PlainUrl implements RequestUrl {
  private readonly request: SocketRequest;
  readonly pathname: string;
  readonly search: string;
  private params: URLSearchParams | undefined;

  constructor(request: SocketRequest, pathname: string, search: string) {
    this.request = request;
    this.pathname = pathname;
    this.search = search;
  }

  get origin() {
    return new URL(this.request.origin).origin;
  }

  get searchParams() {
    this.params ??= new URLSearchParams(this.search);
    return this.params;
  }
}

/** The address of a request; nothing when its target is neither a path nor a web address. */
const urlOf = (request: HttpRequest): RequestUrl | undefined => {
  if (!(request instanceof SocketRequest)) return new URL(request.url);
  const { target } = request;
  const [, path, query = ""] = PLAIN.exec(target) ?? [];
  if (path !== undefined && !path.includes("/."))
    return new PlainUrl(request, path, query === "?" ? "" : query);
  if (!URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  return /^https?:$/.test(url.protocol) && url.host !== "" ? url : undefined;
};

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

/** The address by which a request is routed, or why it cannot be. */
export const addressOf = (request: HttpRequest): RequestUrl | string => {
  const url = urlOf(request);
  if (!url) return "The request names neither a path nor a web address";
  return canonical(url) ?? "The path is not percent-encoded";
};
