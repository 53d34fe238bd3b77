import { readFileSync, statSync, writeFileSync } from "node:fs";
import { generateP256KeyPair, getPublicKey } from "@turnkey/crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { sealSessionKey, sealWalletExport } from "../../../src/crypto/sealing.ts";
import { isClientPublicKey } from "../../../src/crypto/session-keys.ts";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const SESSION = {
  privateKey: "173917fe993d05bc444eb207e30a5b4f8fab4658294c27f34666f426332920d5",
  publicKey: "03f38a502b8d0e8fccd02d5f9f0a1085f943cd41388161f15e870b60ce32a49eb6",
};
const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const entropyHex = "0a".repeat(48);

const modeOf = (file: string) => (statSync(place().file(file)).mode & 0o777).toString(8);

const NO_KEY = "give --key with a private key or its file";
const WRONG_KEY = "Expected --key to be a P-256 private key or its file";

describe("keys create", () => {
  test("prints a pair that the client library reads alike", async () => {
    const { code, stdout, stderr } = await place().run("keys create");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [, publicKey = "", privateKey = ""] =
      /^public {3}(04[0-9a-f]{128})\nprivate {2}([0-9a-f]{64})\n$/.exec(stdout) ?? [];
    expect(isClientPublicKey(publicKey)).toBe(true);
    expect(Buffer.from(getPublicKey(privateKey, false)).toString("hex")).toBe(publicKey);
  });

  test("never makes the same pair twice, and --json is one document", async () => {
    const first = documentOf(await place().run("keys create --json"));
    const second = documentOf(await place().run("keys create --json"));
    expect(first).toEqual({
      publicKey: expect.stringMatching(/^04[0-9a-f]{128}$/),
      privateKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(second.privateKey).not.toBe(first.privateKey);
  });

  test("--out keeps the private key in a file for its owner alone", async () => {
    const { code, stdout, stderr } = await place().run("keys create --out client.json");
    const pair = place().readJson("client.json");
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${pair.publicKey}\n`,
      stderr: "note   the private key is in client.json, which only you can read\n",
    });
    expect(modeOf("client.json")).toBe("600");
    expect(Buffer.from(getPublicKey(pair.privateKey, false)).toString("hex")).toBe(pair.publicKey);
  });

  test("--out with --json or --quiet shows the public key alone", async () => {
    const shown = documentOf(await place().run("keys create --out a.json --json"));
    expect(shown).toEqual({ publicKey: place().readJson("a.json").publicKey, file: "a.json" });
    const { stdout, stderr } = await place().run("keys create --out b.json --quiet");
    expect({ stdout, stderr }).toEqual({
      stdout: `${place().readJson("b.json").publicKey}\n`,
      stderr: "",
    });
  });

  test("a file that is there is left as it is", async () => {
    writeFileSync(place().file("mine.txt"), "mine");
    const { code, stdout, stderr } = await place().run("keys create --out mine.txt");
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error  cannot write mine.txt: an existing file\n" +
        "next   rm mine.txt    if you no longer need it\n",
    });
    expect(readFileSync(place().file("mine.txt"), "utf8")).toBe("mine");
    expect(await place().run("keys create --out no/such/folder.json")).toMatchObject({
      code: 1,
      stderr: "error  cannot write no/such/folder.json: no such folder\n",
    });
  });
});

describe("keys open", () => {
  let privateKey: string;
  let bundle: string;
  let envelope: string;

  beforeEach(async () => {
    await place().run("keys create --out client.json");
    const { publicKey: clientPublicKey, ...rest } = place().readJson("client.json");
    privateKey = rest.privateKey;
    const { privateKey: privateKeyHex } = SESSION;
    bundle = await sealSessionKey({ clientPublicKey, privateKeyHex, entropyHex });
    const organizationId = "org_sim_42";
    envelope = await sealWalletExport({
      clientPublicKey,
      mnemonic: WORDS,
      organizationId,
      entropyHex,
    });
  });

  test("prints the session key of a bundle; the key is a file's or given", async () => {
    writeFileSync(place().file("bare.txt"), `${privateKey.toUpperCase()}\n`);
    const printed = `public   ${SESSION.publicKey}\nprivate  ${SESSION.privateKey}\n`;
    for (const key of ["client.json", "bare.txt", privateKey])
      expect(await place().run(["keys", "open", bundle, "--key", key])).toEqual({
        code: 0,
        signal: null,
        stdout: printed,
        stderr: "",
      });
  });

  test("--json is one document, and - reads standard input", async () => {
    writeFileSync(place().file("bundle.txt"), `${bundle}\n`);
    const read = await place().shell(
      "service-sim keys open - --key client.json --json <bundle.txt",
    );
    expect(documentOf(read)).toEqual(SESSION);
  });

  test("--out keeps it in a file for its owner alone", async () => {
    const { code, stdout, stderr } = await place().run(
      `keys open ${bundle} --key client.json --out session.json`,
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `public  ${SESSION.publicKey}\nfile    session.json\n`,
      stderr: "",
    });
    expect(place().readJson("session.json")).toEqual(SESSION);
    expect(modeOf("session.json")).toBe("600");
  });

  test("--export prints the words of a wallet", async () => {
    const words = ["keys", "open", envelope, "--export", "--key", "client.json"];
    expect(await place().run(words)).toMatchObject({
      code: 0,
      stdout: `organization  org_sim_42\nmnemonic      ${WORDS}\n`,
      stderr: "",
    });
    expect(documentOf(await place().run([...words, "--json"]))).toEqual({
      organizationId: "org_sim_42",
      mnemonic: WORDS,
    });
    expect(documentOf(await place().run([...words, "--out", "words.json", "--json"]))).toEqual({
      organizationId: "org_sim_42",
      file: "words.json",
    });
    expect(place().readJson("words.json").mnemonic).toBe(WORDS);
  });

  test("what was sealed to another key is not opened", async () => {
    const { privateKey: other } = generateP256KeyPair();
    const { code, stdout, stderr } = await place().run(`keys open ${bundle} --key ${other}`);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error  Expected a text sealed to this key but found one sealed to another key, " +
        "or changed since\n" +
        "next   use the private key of the request's clientPublicKey\n",
    });
    expect(documentOf(await place().run(`keys open ${bundle} --key ${other} --json`))).toEqual({
      error: expect.objectContaining({ code: "NOT_OPENED", exitCode: 1 }),
    });
  });

  test.each([
    { says: "an envelope without --export", args: () => [envelope], next: "--export <envelope>" },
    { says: "a bundle with it", args: () => [bundle, "--export"], next: "opens a session's key" },
    { says: "nothing", args: () => [""], next: "use the private key" },
  ])("$says is told what to do", async ({ args, next }) => {
    const { code, stdout, stderr } = await place().run([
      "keys",
      "open",
      ...args(),
      "--key",
      "client.json",
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(next);
  });

  test.each([
    { says: "none", key: [], found: "nothing" },
    { says: "a missing file", key: ["--key", "no.json"], found: "no such file at no.json" },
    { says: "a folder", key: ["--key", "."], found: "a folder at ." },
    { says: "a file without one", key: ["--key", "note.txt"], found: "no key in note.txt" },
    { says: "JSON without one", key: ["--key", "null.json"], found: "no key in null.json" },
    {
      says: "zero",
      key: ["--key", "0".repeat(64)],
      found: "64 hex characters, which is not a key",
    },
    {
      says: "a digit less",
      key: ["--key", SESSION.privateKey.slice(1)],
      found: "63 hex characters, which is not a key",
    },
  ])("a key that is $says is wrong usage, and not repeated", async ({ key, found }) => {
    writeFileSync(place().file("note.txt"), "hello");
    writeFileSync(place().file("null.json"), "null");
    const { code, stdout, stderr } = await place().run(["keys", "open", bundle, ...key]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr:
        `error  ${found === "nothing" ? NO_KEY : `${WRONG_KEY} but found ${found}`}\n` +
        "next   service-sim keys create --out client.json    creates one\n",
    });
  });
});

test("keys alone prints what there is", async () => {
  const { code, stdout } = await place().run("keys");
  expect(code).toBe(0);
  expect(stdout).toMatch(/create .*\n[\s\S]*open /);
});
