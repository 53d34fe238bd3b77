import { writeFileSync } from "node:fs";
import { verifyStampSignature } from "@turnkey/crypto";
import { describe, expect, test } from "vitest";
import { sealSessionKey } from "../../../src/crypto/sealing.ts";
import { isSignatureOver, parseWalletSignature } from "../../../src/crypto/wallet-signatures.ts";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const KEY = "173917fe993d05bc444eb207e30a5b4f8fab4658294c27f34666f426332920d5";
const PUBLIC_KEY = "03f38a502b8d0e8fccd02d5f9f0a1085f943cd41388161f15e870b60ce32a49eb6";
const PAYLOAD = '{"organizationId":"org_sim_42","parameters":{"userEmail":"josé@例え.jp"}}';

/** Whether the output is a signature of a payload, made with the key above. */
const isGood = (printed: string, payload = PAYLOAD) => {
  const [line = "", ...rest] = printed.split("\n");
  const parsed = parseWalletSignature(line);
  if (rest.join() !== "" || parsed.form === "malformed") return false;
  return isSignatureOver(payload, { publicKeyHex: PUBLIC_KEY, ...parsed });
};

/** Runs a line, in a shell where it has a standard input. */
const said = (line: string, before = "") =>
  line.includes("sign -") && !line.includes("--file")
    ? place().shell(`${before}service-sim ${line}`)
    : place().run(line.split(" ").map((word) => (word === "''" ? "" : word)));

describe("a payload is signed as it stands", () => {
  test("given as an argument: the stamp on one line", async () => {
    const { code, stdout, stderr } = await place().run(["sign", PAYLOAD, "--key", KEY]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^eyJ[\w-]+\n$/);
    const stamp = JSON.parse(Buffer.from(stdout.trim(), "base64url").toString());
    expect(stamp.publicKey).toBe(PUBLIC_KEY);
    expect(await verifyStampSignature(PUBLIC_KEY, stamp.signature, PAYLOAD)).toBe(true);
    expect(isGood(stdout)).toBe(true);
    expect(isGood(stdout, `${PAYLOAD} `)).toBe(false);
  });

  test("--bare: the base64 signature alone, also with --quiet", async () => {
    const { stdout } = await place().run(["sign", PAYLOAD, "--key", KEY, "--bare", "--quiet"]);
    expect(stdout).toMatch(/^M[CDE][\w+/]+=*\n$/);
    expect(isGood(stdout)).toBe(true);
  });

  test("--json: one document", async () => {
    for (const { words, form } of [
      { words: [], form: "stamp" },
      { words: ["--bare"], form: "bare" },
    ]) {
      const run = await place().run(["sign", PAYLOAD, "--key", KEY, "--json", ...words]);
      const { signature, ...rest } = documentOf(run);
      expect(rest).toEqual({ form, publicKey: PUBLIC_KEY });
      expect(parseWalletSignature(signature).form).toBe(form);
      expect(isGood(signature)).toBe(true);
    }
  });

  test.each([
    { says: "- and standard input", line: `sign - --key ${KEY} <payload.txt` },
    { says: "a pipe", line: `sign - --key ${KEY}`, before: "cat payload.txt | " },
    { says: "--file", line: `sign --file payload.txt --key ${KEY}` },
  ])("read from $says, byte for byte", async ({ line, before = "" }) => {
    for (const payload of [`\ufeff${PAYLOAD}`, "\u0000 é e\u0301"]) {
      writeFileSync(place().file("payload.txt"), payload);
      const { code, stdout, stderr } = await said(line, before);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(isGood(stdout, payload)).toBe(true);
    }
  });

  test.each(["\n", "\r\n"])("what is piped without the line end %j", async (end) => {
    writeFileSync(place().file("payload.txt"), `${PAYLOAD}${end}`);
    const { stdout, stderr } = await place().shell(`service-sim sign - --key ${KEY} <payload.txt`);
    expect({ isGood: isGood(stdout), stderr }).toEqual({ isGood: true, stderr: "" });
  });

  test("a line end at a file's end too, and that is said", async () => {
    writeFileSync(place().file("payload.txt"), `${PAYLOAD}\n`);
    const { stdout, stderr } = await place().run(`sign --file payload.txt --key ${KEY}`);
    expect(isGood(stdout, `${PAYLOAD}\n`)).toBe(true);
    expect(isGood(stdout)).toBe(false);
    expect(stderr).toBe("note   the trailing newline of the payload is signed too\n");
  });
});

const NEXT = "next   service-sim sign - --key session.json < payload.txt\n";

test.each([
  { says: "no payload", line: `sign --key ${KEY}`, found: "give the payload once: as text" },
  {
    says: "two payloads",
    line: `sign text --file payload.txt --key ${KEY}`,
    found: "give the payload once: as text, as - for stdin, or with --file",
  },
  {
    says: "an empty one",
    line: `sign '' --key ${KEY}`,
    found: "the payload is empty",
  },
  {
    says: "an empty standard input",
    line: `sign - --key ${KEY} </dev/null`,
    found: "the payload is empty",
  },
  {
    says: "a missing file",
    line: `sign --file no.txt --key ${KEY}`,
    found: "cannot read no.txt: no such file",
  },
  {
    says: "bytes that are no text",
    line: `sign --file bytes.bin --key ${KEY}`,
    found: "the payload is not UTF-8 text",
  },
])("$says is wrong usage", async ({ line, found }) => {
  writeFileSync(place().file("payload.txt"), PAYLOAD);
  writeFileSync(place().file("bytes.bin"), Buffer.from([0x61, 0xff, 0xfe]));
  const { code, stdout, stderr } = await said(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`error  ${found}`);
  expect(stderr).toContain(NEXT);
  expect(stderr).not.toContain(KEY);
});

test("without a key nothing is signed", async () => {
  const { code, stdout, stderr } = await place().run(["sign", PAYLOAD]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("give --key with a private key or its file");
});

test("the whole way of a client: a pair, a bundle to it, the session key, a stamp", async () => {
  const clientPublicKey = (await place().run("keys create --out client.json")).stdout.trim();
  const bundle = await sealSessionKey({
    clientPublicKey,
    privateKeyHex: KEY,
    entropyHex: "0b".repeat(48),
  });
  const { code, stdout, stderr } = await place().shell(
    "service-sim keys open $BUNDLE --key client.json --out session.json --quiet >/dev/null && " +
      'printf %s "$PAYLOAD" | service-sim sign - --key session.json',
    { env: { BUNDLE: bundle, PAYLOAD } },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(isGood(stdout)).toBe(true);
});
