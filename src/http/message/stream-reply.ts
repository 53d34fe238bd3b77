import type { HttpRequest } from "./http-request.ts";

/** A reply whose body continues for as long as it is read. */
export class StreamReply {
  readonly contentType: string;
  /** Opens the body, once the request was admitted. */
  readonly open: (request: HttpRequest) => ReadableStream<Uint8Array>;
  /** Further headers of the reply to a request. */
  readonly headersFor: (request: HttpRequest) => Readonly<Record<string, string>>;

  constructor(
    contentType: string,
    open: StreamReply["open"],
    headersFor: StreamReply["headersFor"] = () => ({}),
  ) {
    this.contentType = contentType;
    this.open = open;
    this.headersFor = headersFor;
  }
}
