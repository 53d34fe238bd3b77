/** An exact fraction. The referee counts by itself, without the code under test. */
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

/** Digits behind the decimal point, by currency. */
const DECIMALS: Record<string, number> = { USD: 2, EUR: 2, MXN: 2, USDC: 6, VND: 0 };

/** Rates of a new world (spec/exchange-rates.md#rate-table). */
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

/** An amount as limits count it: rounded up (spec/agent-policy.md#amounts). */
export const countedIn = (to: string, { minor, currency }: Money, rates: Rates) =>
  up(by(minor, perMinor(currency, to, rates)));

/**
 * An amount after a change of the limits' currency: rounded half up
 * (spec/agent-policy.md#re-expression).
 */
export const reexpressedIn = (to: string, { minor, currency }: Money, rates: Rates) =>
  halfUp(by(minor, perMinor(currency, to, rates)));

/** The largest amount in a currency that stays within a bound in another one. */
export const mostWithin = (bound: Money, currency: string, rates: Rates) =>
  down(by(bound.minor, perMinor(bound.currency, currency, rates)));

export interface QuoteTerms {
  from: string;
  to: string;
  side: "SENDING" | "RECEIVING";
  lockedMinor: bigint;
}

/**
 * Fees of a quote: 10 fixed, 0.3 %, and 10 of the receiving currency
 * (spec/exchange-rates.md#quote-fees).
 */
const FIXED_MINOR = 10n;
const VARIABLE: Fraction = { n: 3n, d: 1000n };

/** The amounts of a quote; it receives nothing if the fees take everything. */
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
