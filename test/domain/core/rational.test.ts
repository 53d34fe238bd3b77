import { describe, expect, test } from "vitest";
import {
  ceil,
  floor,
  minus,
  over,
  parseRational,
  powerOfTen,
  rational,
  roundHalfUp,
  times,
  toSignificant,
} from "../../../src/domain/core/rational.ts";

describe("a fraction is rounded to whole numbers", () => {
  test.each([
    { n: 7n, d: 2n, down: 3n, up: 4n, nearest: 4n },
    { n: 6n, d: 2n, down: 3n, up: 3n, nearest: 3n },
    { n: 1n, d: 3n, down: 0n, up: 1n, nearest: 0n },
    { n: 2n, d: 3n, down: 0n, up: 1n, nearest: 1n },
    { n: 1n, d: 2n, down: 0n, up: 1n, nearest: 1n },
    { n: 0n, d: 5n, down: 0n, up: 0n, nearest: 0n },
    { n: -1n, d: 2n, down: -1n, up: 0n, nearest: 0n },
    { n: -3n, d: 2n, down: -2n, up: -1n, nearest: -1n },
    { n: -1n, d: 3n, down: -1n, up: 0n, nearest: 0n },
    { n: -2n, d: 3n, down: -1n, up: 0n, nearest: -1n },
    { n: -6n, d: 2n, down: -3n, up: -3n, nearest: -3n },
    { n: -7n, d: 2n, down: -4n, up: -3n, nearest: -3n },
    { n: 10n ** 40n + 1n, d: 10n, down: 10n ** 39n, up: 10n ** 39n + 1n, nearest: 10n ** 39n },
  ])("$n/$d is $down down, $up up, $nearest half up", ({ n, d, down, up, nearest }) => {
    const value = rational(n, d);
    expect([floor(value), ceil(value), roundHalfUp(value)]).toEqual([down, up, nearest]);
  });
});

describe("a fraction is read from text", () => {
  test.each([
    { text: "1", n: 1n, d: 1n },
    { text: "0.92", n: 92n, d: 100n },
    { text: "17.25", n: 1725n, d: 100n },
    { text: "3.6725", n: 36_725n, d: 10_000n },
    { text: "0.003", n: 3n, d: 1000n },
    { text: "1/120000", n: 1n, d: 120_000n },
    { text: "24500", n: 24_500n, d: 1n },
  ])("$text is $n/$d", ({ text, n, d }) => {
    const value = parseRational(text);
    expect(value.n * d).toBe(value.d * n);
  });
});

describe("fractions are computed with exactly", () => {
  test.each([
    { says: "2/3 times 3/4", found: times(rational(2n, 3n), rational(3n, 4n)), n: 1n, d: 2n },
    { says: "2/3 over 4/9", found: over(rational(2n, 3n), rational(4n, 9n)), n: 3n, d: 2n },
    { says: "1/2 minus 2/3", found: minus(rational(1n, 2n), rational(2n, 3n)), n: -1n, d: 6n },
    { says: "1 over -2", found: over(rational(1n), rational(-2n)), n: -1n, d: 2n },
    { says: "10 to the 0", found: powerOfTen(0), n: 1n, d: 1n },
    { says: "10 to the 4", found: powerOfTen(4), n: 10_000n, d: 1n },
    { says: "10 to the -6", found: powerOfTen(-6), n: 1n, d: 1_000_000n },
  ])("$says is $n/$d", ({ found, n, d }) => {
    expect(found.n * d).toBe(found.d * n);
    expect(found.d).toBeGreaterThan(0n);
  });
});

describe("a fraction is published with ten significant digits", () => {
  test.each([
    { text: "1", shown: 1 },
    { text: "10", shown: 10 },
    { text: "1/3", shown: 0.3333333333 },
    { text: "2/3", shown: 0.6666666667 },
    { text: "20/3", shown: 6.666666667 },
    { text: "4/69", shown: 0.05797101449 },
    { text: "100/92", shown: 1.086956522 },
    { text: "1/120000", shown: 0.000008333333333 },
    { text: "120000", shown: 120_000 },
    { text: "9.999999999", shown: 9.999999999 },
    { text: "9.9999999994", shown: 9.999999999 },
    { text: "9.9999999995", shown: 10 },
    { text: "9.9999999999", shown: 10 },
    { text: "0.99999999994", shown: 0.9999999999 },
    { text: "0.99999999995", shown: 1 },
    { text: "99999999999", shown: 100_000_000_000 },
    { text: "12345678901.5", shown: 12_345_678_900 },
    { text: "12345678905", shown: 12_345_678_910 },
    { text: "1234567890.4999", shown: 1_234_567_890 },
    { text: "1234567890.5", shown: 1_234_567_891 },
    { text: "0.00000000012345678905", shown: 1.234567891e-10 },
    { text: "1000/999", shown: 1.001001001 },
    { text: "999/1000", shown: 0.999 },
    { text: "1/99", shown: 0.0101010101 },
  ])("$text as $shown", ({ text, shown }) => {
    expect(toSignificant(parseRational(text), 10)).toBe(shown);
  });
});
