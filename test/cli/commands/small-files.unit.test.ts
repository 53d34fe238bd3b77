import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readInstance, writeInstance } from "../../../src/cli/frame/instance-file.ts";
import { keyOf } from "../../../src/cli/frame/key-file.ts";
import { publicKeyOf } from "../../../src/crypto/p256.ts";
import { runsOf } from "../../setup/campaign.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "small-files-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

const flipped = (whole: Buffer, bit: number) => {
  const bytes = Buffer.from(whole);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  return bytes;
};

describe("instance.json", () => {
  const INSTANCE = {
    pid: process.pid,
    url: "http://127.0.0.1:4747",
    apiUrl: "http://127.0.0.1:4747/2025-10-13",
    controlUrl: "http://127.0.0.1:4747/_sim",
    controlToken: "token",
    clientId: "sandbox",
    clientSecret: "sk_sim_secret",
    webhookPublicKey: "PEM",
    version: "0.1.0",
  };

  test("is read as it was written", () => {
    writeInstance(directory, INSTANCE);
    expect(readInstance(directory)).toMatchObject(INSTANCE);
  });

  test("of a version without a checksum is read too", () => {
    writeFileSync(join(directory, "instance.json"), JSON.stringify(INSTANCE));
    expect(readInstance(directory)).toEqual(INSTANCE);
  });

  test.each([
    { checksum: "5b45022c3c05aab2", pid: 4747 },
    { checksum: "5b45022c3c05aab0", pid: undefined },
  ])("of a version with a longer checksum is read if it fits: $checksum", ({ checksum, pid }) => {
    const written = { ...INSTANCE, pid: 4747, checksum };
    writeFileSync(join(directory, "instance.json"), JSON.stringify(written));
    expect(readInstance(directory)?.pid).toBe(pid);
  });

  test("gives nothing wrong, whatever bit is flipped", () => {
    writeInstance(directory, INSTANCE);
    const file = join(directory, "instance.json");
    const whole = readFileSync(file);
    // Nine from one to the next: each bit of a byte is met in turn.
    const step = runsOf(1, 9);
    for (let bit = 0; bit < whole.length * 8; bit += step) {
      writeFileSync(file, flipped(whole, bit));
      const read = readInstance(directory);
      // White space and the name of the checksum may change; the rest stays.
      if (read) expect(read, `bit ${bit}`).toMatchObject(INSTANCE);
    }
  });

  test.each(["", "null", "[]", "{}", '"text"', '{"pid":"1"}'])("with %j is none", (text) => {
    writeFileSync(join(directory, "instance.json"), text);
    expect(readInstance(directory)).toBeUndefined();
  });
});

describe("a key file", () => {
  const PRIVATE = "11".repeat(32);
  const PUBLIC = publicKeyOf(PRIVATE, "compressed");

  const fileWith = (pair: object) => {
    const file = join(directory, "client.json");
    writeFileSync(file, JSON.stringify(pair));
    return file;
  };

  test.each([
    { what: "the pair", pair: { publicKey: PUBLIC, privateKey: PRIVATE } },
    {
      what: "the longer form",
      pair: { publicKey: publicKeyOf(PRIVATE, "uncompressed"), privateKey: PRIVATE },
    },
    { what: "the private key alone", pair: { privateKey: PRIVATE } },
  ])("with $what gives the key", ({ pair }) => {
    expect(keyOf(fileWith(pair))).toBe(PRIVATE);
  });

  test.each([
    { what: "private", pair: { publicKey: PUBLIC, privateKey: `2${PRIVATE.slice(1)}` } },
    { what: "public", pair: { publicKey: `03${PUBLIC.slice(2)}`, privateKey: PRIVATE } },
  ])("whose $what half was changed is refused", ({ pair }) => {
    expect(() => keyOf(fileWith(pair))).toThrow(
      `found a private and a public key in ${join(directory, "client.json")} that do not match`,
    );
  });
});
