/** An exact fraction. The referee counts by itself: nothing here comes from the code under test. */
interface Fraction {
  n: bigint;
  d: bigint;
}

/** Units of each currency for one US dollar, as text. */
export type Rates = Readonly<Record<string, string>>;

export interface Money {
  minor: bigint;
  currency: string;
}

/** Digits behind the point, by currency. */
const DECIMALS: Record<string, number> = { USD: 2, EUR: 2, MXN: 2, USDC: 6, VND: 0 };

/** What the world starts with (payments digest, section 21). */
export const FIRST_RATES: Rates = { USD: "1", EUR: "0.92", MXN: "17.25", USDC: "1", VND: "24500" };

const fractionOf = (text: string): Fraction => {
  const [over = "", under] = text.split("/");
  if (under !== undefined) return { n: BigInt(over), d: BigInt(under) };
  const [whole = "", decimals = ""] = over.split(".");
  return { n: BigInt(whole + decimals), d: 10n ** BigInt(decimals.length) };
};

const down = ({ n, d }: Fraction) => n / d;
const up = ({ n, d }: Fraction) => (n + d - 1n) / d;
const halfUp = ({ n, d }: Fraction) => (2n * n + d) / (2n * d);
const by = (minor: bigint, { n, d }: Fraction): Fraction => ({ n: minor * n, d });

/** Smallest units of one currency in a smallest unit of another. */
const perMinor = (from: string, to: string, rates: Rates): Fraction => {
  const sold = fractionOf(rates[from] as string);
  const bought = fractionOf(rates[to] as string);
  return {
    n: bought.n * sold.d * 10n ** BigInt(DECIMALS[to] as number),
    d: bought.d * sold.n * 10n ** BigInt(DECIMALS[from] as number),
  };
};

/** An amount as limits count it: rounded up (platform O-40). */
export const countedIn = (to: string, { minor, currency }: Money, rates: Rates) =>
  up(by(minor, perMinor(currency, to, rates)));

/** An amount as a change of the limits' currency re-expresses it: rounded half up (O-19). */
export const reexpressedIn = (to: string, { minor, currency }: Money, rates: Rates) =>
  halfUp(by(minor, perMinor(currency, to, rates)));

/** The most of a currency that counts as no more than a bound in another one. */
export const mostWithin = (bound: Money, currency: string, rates: Rates) =>
  down(by(bound.minor, perMinor(bound.currency, currency, rates)));

export interface QuoteTerms {
  from: string;
  to: string;
  side: "SENDING" | "RECEIVING";
  lockedMinor: bigint;
}

/** Fees of a quote: 10 fixed, 0.3 %, and 10 of the receiving currency (payments O-09). */
const FIXED_MINOR = 10n;
const VARIABLE: Fraction = { n: 3n, d: 1000n };

/** What a quote sends and receives; it receives nothing where the fees leave nothing. */
export const quoted = ({ from, to, side, lockedMinor }: QuoteTerms, rates: Rates) => {
  const rate = perMinor(from, to, rates);
  const inverse = { n: rate.d, d: rate.n };
  const fixed = FIXED_MINOR + up(by(FIXED_MINOR, inverse));
  if (side === "RECEIVING") {
    const kept = { n: VARIABLE.d, d: VARIABLE.d - VARIABLE.n };
    return { sent: up(by(up(by(lockedMinor, inverse)) + fixed, kept)), received: lockedMinor };
  }
  const left = lockedMinor - fixed - halfUp(by(lockedMinor, VARIABLE));
  return { sent: lockedMinor, received: left > 0n ? down(by(left, rate)) : 0n };
};
