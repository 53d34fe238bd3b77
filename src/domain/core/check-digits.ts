/** Decimal digits of a text in base 36: `A` is 10, as ISO 7064 reads letters. */
const asNumber = (text: string) =>
  text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

const CHUNK = 9;

const mod97 = (digits: string) => {
  let rest = 0;
  for (let at = 0; at < digits.length; at += CHUNK)
    rest = Number(`${rest}${digits.slice(at, at + CHUNK)}`) % 97;
  return rest;
};

/** An IBAN with its two check digits (ISO 13616, ISO 7064 mod 97-10). */
export const ibanOf = (country: string, accountPart: string) => {
  const check = 98 - mod97(asNumber(`${accountPart}${country}00`));
  return `${country}${String(check).padStart(2, "0")}${accountPart}`;
};

/**
 * The digits followed by a check digit that makes their weighted sum a multiple of ten. Routing
 * numbers of US banks and CLABEs use the weights 3 7 1. Both blocks of a CBU or CVU use 9 7 1 3,
 * from the end.
 */
export const withWeightedCheck = (digits: string, weights: readonly number[]) => {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1)
    sum += Number(digits[at]) * (weights[at % weights.length] as number);
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

/** The text followed by its CRC-16/IBM-3740 in four hex digits, as in EMV QR codes. */
export const withCrc16 = (text: string) => {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff;
  }
  return text + crc.toString(16).toUpperCase().padStart(4, "0");
};
