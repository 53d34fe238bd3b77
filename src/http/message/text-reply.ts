/** A reply of plain text instead of JSON. */
export class TextReply {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    text: string,
    contentType = "text/plain; charset=utf-8",
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.text = text;
    this.headers = { ...headers, "content-type": contentType };
  }
}
