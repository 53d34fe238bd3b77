/** A reply whose body goes on for as long as somebody reads it. */
export class StreamReply {
  readonly contentType: string;
  /** Begins the body, once the request was admitted. */
  readonly open: (request: Request) => ReadableStream<Uint8Array>;

  constructor(contentType: string, open: StreamReply["open"]) {
    this.contentType = contentType;
    this.open = open;
  }
}
