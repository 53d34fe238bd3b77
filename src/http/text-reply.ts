/** A reply that is text, not JSON. */
export class TextReply {
  readonly text: string;
  readonly contentType: string;

  constructor(text: string, contentType = "text/plain; charset=utf-8") {
    this.text = text;
    this.contentType = contentType;
  }
}
