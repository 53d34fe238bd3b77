import { assertInvariant } from "./invariant.ts";

/** Text made of the bytes of a hash: the same bytes and calls give the same text. */
export class HashText {
  private position = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  private next(alphabet: string) {
    const byte = this.bytes[this.position];
    assertInvariant(
      byte !== undefined,
      "a template needs at most as many characters as the hash has bytes",
    );
    this.position += 1;
    return alphabet[byte % alphabet.length] as string;
  }

  /**
   * A template with each `#` replaced by any character of the alphabet, and each `*` by one that is
   * neither 0 nor 1. With `*` third from the end, an identifier ends in no number below 110, as the
   * endings that choose an account's outcome are (spec/payment-instructions.md#account-values).
   * @param alphabet begins with 0 and 1 where the template has `*`
   */
  fill(template: string, alphabet: string): string {
    let filled = "";
    for (const symbol of template) {
      if (symbol === "#") filled += this.next(alphabet);
      else if (symbol === "*") filled += this.next(alphabet.slice(2));
      else filled += symbol;
    }
    return filled;
  }
}
