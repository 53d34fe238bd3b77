/** Points of P-256 (SEC 1; FIPS 186-5), of which browsers take neither compressed ones nor a scalar alone. */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const BASE: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

/** A point in affine coordinates. */
export interface Point {
  x: bigint;
  y: bigint;
}

const mod = (value: bigint) => ((value % P) + P) % P;

const power = (base: bigint, exponent: bigint) => {
  let [result, square] = [1n, mod(base)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
};

const inverse = (value: bigint) => power(value, P - 2n);

const add = (a: Point | undefined, b: Point): Point => {
  if (!a) return b;
  const isSame = a.x === b.x;
  const slope = isSame
    ? mod((3n * a.x * a.x - 3n) * inverse(2n * a.y))
    : mod((b.y - a.y) * inverse(b.x - a.x));
  const x = mod(slope * slope - a.x - b.x);
  return { x, y: mod(slope * (a.x - x) - a.y) };
};

/** The public point of a private scalar, which is below the order of the curve. */
export const pointOfScalar = (scalar: bigint): Point => {
  let sum: Point | undefined;
  let addend = BASE;
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, addend);
    addend = add(addend, addend);
  }
  if (!sum) throw new Error("Expected a private key above zero");
  return sum;
};

/** The whole point of its compressed form. @throws when no point has this form */
export const decompressed = (hex: string): Point => {
  const x = BigInt(`0x${hex.slice(2)}`);
  const square = mod(x * x * x - 3n * x + B);
  const root = power(square, (P + 1n) / 4n);
  if (mod(root * root) !== square) throw new Error("Expected a point on P-256 but found none");
  const isOdd = hex.startsWith("03");
  return { x, y: (root & 1n) === (isOdd ? 1n : 0n) ? root : P - root };
};

/** A coordinate or a scalar as 64 hex digits. */
export const hex32 = (value: bigint) => value.toString(16).padStart(64, "0");
