/** A reply that is plain text, not JSON. */
export class TextReply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
