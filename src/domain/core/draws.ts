import { assertInvariant } from "./invariant.ts";

/** Characters drawn from the bytes of a hash; the same bytes and calls give the same text. */
export class Draws {
  private at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  private one(alphabet: string) {
    const byte = this.bytes[this.at];
    assertInvariant(byte !== undefined, "no more draws than there are bytes");
    this.at += 1;
    return alphabet[byte % alphabet.length] as string;
  }

  /**
   * A template with each `#` replaced by any character, and each `*` by one that is neither 0 nor
   * 1. With `*` third from the end, an identifier never ends in 000 to 007 or 102 to 107
   * (spec/payment-instructions.md#account-values).
   * @param alphabet begins with 0 and 1 if it has them
   */
  fill(template: string, alphabet: string): string {
    let filled = "";
    for (const sign of template) {
      if (sign === "#") filled += this.one(alphabet);
      else if (sign === "*") filled += this.one(alphabet.slice(2));
      else filled += sign;
    }
    return filled;
  }
}
