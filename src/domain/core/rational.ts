/**
 * An exact fraction; `d` is positive. Money is never a float
 * (spec/exchange-rates.md#exact-arithmetic).
 */
export interface Rational {
  n: bigint;
  d: bigint;
}

export const rational = (n: bigint, d = 1n): Rational => (d < 0n ? { n: -n, d: -d } : { n, d });

const parsed = new Map<string, Rational>();
const MAX_PARSED = 1000;

/**
 * Parses a rate.
 * @param text a decimal like `0.92`, or a fraction like `1/120000`
 */
export const parseRational = (text: string): Rational => {
  const known = parsed.get(text);
  if (known) return known;
  const value = parse(text);
  if (parsed.size < MAX_PARSED) parsed.set(text, value);
  return value;
};

const parse = (text: string): Rational => {
  const [over = "", under] = text.split("/");
  if (under !== undefined) return rational(BigInt(over), BigInt(under));
  const [whole = "0", decimals = ""] = over.split(".");
  return rational(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
};

export const times = (a: Rational, b: Rational) => rational(a.n * b.n, a.d * b.d);
export const over = (a: Rational, b: Rational) => rational(a.n * b.d, a.d * b.n);
export const minus = (a: Rational, b: Rational) => rational(a.n * b.d - b.n * a.d, a.d * b.d);

export const floor = ({ n, d }: Rational) => {
  const quotient = n / d;
  return n % d < 0n ? quotient - 1n : quotient;
};

export const ceil = ({ n, d }: Rational) => -floor({ n: -n, d });

export const roundHalfUp = ({ n, d }: Rational) => floor({ n: 2n * n + d, d: 2n * d });

const ROUNDINGS = { down: floor, up: ceil, "half up": roundHalfUp } as const;

/** A direction in which an exact value becomes a whole one. */
export type RoundingWay = keyof typeof ROUNDINGS;

/** An exact value, and the whole number that it was rounded to. */
export interface Rounded {
  exact: Rational;
  whole: bigint;
  how: RoundingWay;
}

export const rounded = (exact: Rational, how: RoundingWay): Rounded => ({
  exact,
  whole: ROUNDINGS[how](exact),
  how,
});

/** A caller's amount as an integer. 1e400 reads as infinity; the range is checked later. */
export const countable = (amount: number | bigint): bigint =>
  typeof amount === "bigint" ? amount : BigInt(Math.min(amount, Number.MAX_VALUE));

/** Ten to an exponent that may be negative. */
export const powerOfTen = (exponent: number): Rational =>
  exponent >= 0 ? rational(10n ** BigInt(exponent)) : rational(1n, 10n ** BigInt(-exponent));

/**
 * A positive fraction as a JSON number, rounded half up to `digits` significant digits
 * (spec/exchange-rates.md#published-rate).
 */
export const toSignificant = (value: Rational, digits: number): number => {
  const estimate = value.n.toString().length - value.d.toString().length;
  let exponent = estimate - digits;
  let scaled = roundHalfUp(over(value, powerOfTen(exponent)));
  while (scaled >= 10n ** BigInt(digits)) {
    exponent += 1;
    scaled = roundHalfUp(over(value, powerOfTen(exponent)));
  }
  return Number(`${scaled}e${exponent}`);
};

/** Decimal places of a fraction that ends, or undefined for one without an end. */
const decimalPlaces = (divisor: bigint): number | undefined => {
  let rest = divisor;
  let [twos, fives] = [0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : undefined;
};

const commonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : commonDivisor(b, a % b));

const decimals = (scaled: bigint, places: number) => {
  const digits = String(scaled).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

/**
 * A fraction of zero or more as exact text: a decimal like `0.92` where it ends, else a fraction in
 * lowest terms like `4/69`. {@link parseRational} reads both.
 */
export const exactText = ({ n, d }: Rational): string => {
  const common = commonDivisor(n, d);
  const [above, below] = [n / common, d / common];
  const places = decimalPlaces(below);
  if (places === undefined) return `${above}/${below}`;
  return decimals((above * 10n ** BigInt(places)) / below, places);
};

/** The first decimals of a fraction, and `…` where more follow: `543.478260…`. */
export const decimalText = (value: Rational, places: number): string => {
  const exact = exactText(value);
  const [, ended = ""] = exact.split(".");
  if (!exact.includes("/") && ended.length <= places) return exact;
  return `${decimals(floor(times(value, powerOfTen(places))), places)}…`;
};
