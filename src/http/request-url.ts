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
export const urlOf = (request: HttpRequest): RequestUrl | undefined => {
  if (!(request instanceof SocketRequest)) return new URL(request.url);
  const { target } = request;
  const [, path, query = ""] = PLAIN.exec(target) ?? [];
  if (path !== undefined && !path.includes("/."))
    return new PlainUrl(request, path, query === "?" ? "" : query);
  if (!URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  return /^https?:$/.test(url.protocol) && url.host !== "" ? url : undefined;
};
