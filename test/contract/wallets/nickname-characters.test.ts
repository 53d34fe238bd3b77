import { expect, test } from "vitest";
import { nicknameCharacters } from "../../../src/contract/wallets/credentials.ts";

const matched = (pattern: RegExp) => {
  const found: number[] = [];
  for (let at = 0; at <= 0x10ffff; at += 1)
    if (pattern.test(String.fromCodePoint(at))) found.push(at);
  return found;
};

test("150,156 characters, each of which this Node.js counts as letter, mark, number or space", () => {
  const listed = matched(new RegExp(`^[${nicknameCharacters()}]$`, "u"));
  expect(listed).toHaveLength(150_156);
  const [major = 0] = (process.versions.unicode ?? "0").split(".").map(Number);
  if (major < 17) return;
  const known = new Set(matched(/^[\p{L}\p{M}\p{N}\p{Zs}]$/u));
  expect(listed.filter((one) => !known.has(one))).toEqual([]);
});
