import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { verifyAssertion, verifyRegistration } from "../../../src/crypto/webauthn.ts";
import type { Ended } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const CREATE = "passkey create --challenge cmVnaXN0ZXItYWRh --key ada.json";
const ASSERT = "passkey assert --challenge c2lnbi1pbg --key ada.json";

const printed = ({ stdout }: Ended) => JSON.parse(stdout);

const registered = async (created: Ended) => {
  const { challenge, attestation } = printed(created);
  const facts = await verifyRegistration({ attestation, challenge });
  if (facts.kind !== "verified") throw new Error(facts.check);
  return facts;
};

const clientDataOf = ({ clientDataJson }: { clientDataJson: string }) =>
  JSON.parse(Buffer.from(clientDataJson, "base64url").toString("utf8"));

describe("passkey create", () => {
  test.each(["ES256", "EdDSA", "RS256"])("makes one that is verified: %s", async (alg) => {
    const created = await place().run(`${CREATE} --alg ${alg}`);
    expect(created).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys(printed(created))).toEqual(["type", "challenge", "attestation"]);
    expect(printed(created)).toMatchObject({ type: "PASSKEY", challenge: "cmVnaXN0ZXItYWRh" });
    expect(await registered(created)).toMatchObject({ kind: "verified", counter: 0 });
    expect(place().readJson("ada.json")).toMatchObject({ algorithm: alg, rpId: "localhost" });
  });

  test("keeps the private key in a file for its owner alone, and shows it nowhere", async () => {
    const { stdout, stderr } = await place().run(CREATE);
    expect(statSync(place().file("ada.json")).mode & 0o777).toBe(0o600);
    const { privateKey } = place().readJson("ada.json");
    expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(stdout + stderr).not.toContain("PRIVATE KEY");
  });

  test("prints indented lines for people and one line with --json", async () => {
    expect((await place().run(CREATE)).stdout).toMatch(/^\{\n {2}"type": "PASSKEY",\n/);
    const { stdout } = await place().run(`${CREATE.replace("ada", "bob")} --json`);
    expect(stdout).toMatch(/^\{"type":"PASSKEY",.*\}\n$/);
  });

  test.each([
    { words: "", origin: "http://localhost" },
    { words: "--rp-id shop.example", origin: "https://shop.example" },
    {
      words: "--rp-id shop.example --origin https://app.shop.example",
      origin: "https://app.shop.example",
    },
  ])("asks from the page of its relying party, unless told otherwise: $origin", async (row) => {
    const created = await place().run(`${CREATE} ${row.words}`);
    expect(clientDataOf(printed(created).attestation)).toEqual({
      type: "webauthn.create",
      challenge: "cmVnaXN0ZXItYWRh",
      origin: row.origin,
      crossOrigin: false,
    });
    expect(await registered(created)).toMatchObject({ kind: "verified" });
  });

  test("never writes over a file that is there: it may be somebody's only key", async () => {
    await place().run(CREATE);
    const before = readFileSync(place().file("ada.json"), "utf8");
    expect(await place().run(CREATE)).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr:
        "error  ada.json already exists\n" +
        "next   service-sim passkey assert --challenge <text> --key ada.json    " +
        "signs in with that one\n",
    });
    expect(readFileSync(place().file("ada.json"), "utf8")).toBe(before);
  });

  test("says so when it cannot write", async () => {
    const ended = await place().run(CREATE.replace("ada.json", "nowhere/ada.json"));
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("cannot write the passkey to nowhere/ada.json: no such folder");
  });
});

describe("passkey assert", () => {
  test("signs in, and its counter rises with each time", async () => {
    const passkey = await registered(await place().run(CREATE));
    for (const counter of [1, 2, 3]) {
      const ended = await place().run(ASSERT);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(Object.keys(printed(ended))).toEqual(["type", "assertion"]);
      const { type, assertion } = printed(ended);
      expect(type).toBe("PASSKEY");
      expect(await verifyAssertion({ assertion, challenge: "c2lnbi1pbg", passkey })).toEqual({
        kind: "verified",
        counter,
        rpIdHash: createHash("sha256").update("localhost").digest("base64url"),
      });
      expect(place().readJson("ada.json").counter).toBe(counter);
    }
    expect(statSync(place().file("ada.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(place().path)).toEqual(["ada.json"]);
  });

  test("from another page of the same relying party", async () => {
    await place().run(`${CREATE} --rp-id shop.example`);
    const ended = await place().run(`${ASSERT} --origin https://app.shop.example --json`);
    expect(clientDataOf(printed(ended).assertion)).toMatchObject({
      type: "webauthn.get",
      origin: "https://app.shop.example",
    });
  });

  test("without its file exits 1 and says how to make one", async () => {
    expect(await place().run(ASSERT)).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr:
        "error  cannot read the passkey ada.json: no such file\n" +
        "next   service-sim passkey create --challenge <text> --key ada.json    creates one\n",
    });
  });

  test.each(["", "{", "null", '{"counter":0}', '{"rpId":1,"counter":0,"algorithm":"ES256"}'])(
    "a file that is no passkey exits 2: %j",
    async (text) => {
      writeFileSync(place().file("ada.json"), text);
      const ended = await place().run(ASSERT);
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toContain("ada.json is not a passkey");
      expect(readFileSync(place().file("ada.json"), "utf8")).toBe(text);
    },
  );

  test("a file whose key is none exits 2 as well", async () => {
    await place().run(CREATE);
    const passkey = { ...place().readJson("ada.json"), privateKey: "secret words" };
    writeFileSync(place().file("ada.json"), JSON.stringify(passkey));
    const ended = await place().run(ASSERT);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).not.toContain("secret words");
  });
});

test.each([
  { words: "create --key a.json", found: "--challenge with the issued text" },
  { words: "create --challenge YQ", found: "--key with the passkey's file" },
  { words: "assert --key a.json", found: "--challenge with the issued text" },
  { words: "assert --challenge YQ", found: "--key with the passkey's file" },
])("passkey $words exits 2 and says what is missing", async ({ words, found }) => {
  const [command = ""] = words.split(" ");
  expect(await place().run(`passkey ${words}`)).toEqual({
    code: 2,
    signal: null,
    stdout: "",
    stderr:
      `error  give ${found}\n` +
      `next   service-sim passkey ${command} --challenge <text> --key <file>\n`,
  });
});

describe("its help", () => {
  test("alone it prints the help of its commands", async () => {
    const alone = await place().run("passkey");
    expect(alone).toEqual(await place().run("passkey --help"));
    expect(alone).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["create", "assert"])
      expect(alone.stdout).toContain(`service-sim passkey ${name}`);
  });

  test("the examples work as printed, one after the other", async () => {
    const { stdout } = await place().run("passkey --help");
    const examples = stdout.slice(stdout.indexOf("\nExamples:\n")).split("\n").slice(2);
    const lines = examples.map((line) => line.trim()).filter(Boolean);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines)
      expect(await place().shell(line)).toMatchObject({ code: 0, stderr: "" });
  });
});
