const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE = BigInt(ALPHABET.length);

/** Base58 of bytes in hex: the number that they are, after a 1 for each leading zero byte. */
export const base58OfHex = (hex: string): string => {
  const zeros = /^(?:00)*/.exec(hex)?.[0].length ?? 0;
  let text = "";
  for (let rest = BigInt(`0x0${hex}`); rest > 0n; rest /= BASE)
    text = `${ALPHABET[Number(rest % BASE)]}${text}`;
  return `${"1".repeat(zeros / 2)}${text}`;
};
