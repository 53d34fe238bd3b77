import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jwksSourceOf } from "../../../src/control/id-token-keys.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { IdTokenIssuer, ISSUER, NOW_S } from "./setup/id-token-issuer.ts";
import { expectUnauthorized } from "./setup/unauthorized.ts";
import { WalletClient } from "./setup/wallet-client.ts";

const OTHER_ISSUER = "https://other.example";
const GOOGLE = "https://accounts.google.com";

const idp = new IdTokenIssuer("idp");
const other = new IdTokenIssuer("other");

const refused = (check: RegExp) => ({ reason: "Invalid OIDC token", check });

let directory: StateDirectory;
let sim: TestSimulator | undefined;

beforeEach(() => {
  directory = new StateDirectory();
  for (const [name, { jwk }] of [
    ["idp.json", { jwk: idp.jwk() }],
    ["other.json", { jwk: other.jwk() }],
  ] as const)
    writeFileSync(directory.file(name), JSON.stringify({ keys: [jwk] }));
});

afterEach(async () => {
  await sim?.sim.close();
  sim = undefined;
  directory.remove();
});

const start = async (options: Parameters<typeof startTestSimulator>[0]) => {
  sim = await startTestSimulator(options);
  return sim;
};

/** Makes a credential from a token, in a wallet of its own. */
const create = async (oidcToken: string) => {
  const world = sim as TestSimulator;
  const { accountId } = await WalletClient.create(world);
  return world.call("POST", "/auth/credentials", { type: "OAUTH", accountId, oidcToken });
};

const builtIn = async (claims: object = {}) =>
  (await sim?.control("POST", "/oidc/token", claims))?.body.token as string;

const both = () => [
  `${ISSUER}=${directory.file("idp.json")}`,
  `${OTHER_ISSUER}=${directory.file("other.json")}`,
];

const exp = NOW_S + 60;

// spec/id-tokens.md#trusted-keys
describe("--crypto strict", () => {
  beforeEach(() => start({ crypto: "strict", oidcJwks: both() }));

  test("accepts a token signed with its issuer's own keys", async () => {
    expect((await create(await idp.token({ exp }))).status).toBe(201);
    expect((await create(await other.token({ exp, iss: OTHER_ISSUER }))).status).toBe(201);
  });

  test("refuses a token signed with another issuer's keys", async () => {
    const check = /^no known key has its kid and alg$/;
    expectUnauthorized(await create(await other.token({ exp })), refused(check));
    const iss = OTHER_ISSUER;
    expectUnauthorized(await create(await idp.token({ exp, iss })), refused(check));
  });

  test("accepts the built-in key for the built-in issuer alone", async () => {
    expect((await create(await builtIn())).status).toBe(201);
    expectUnauthorized(
      await create(await builtIn({ iss: ISSUER })),
      refused(/^no known key has its kid and alg$/),
    );
    expectUnauthorized(
      await create(await builtIn({ iss: GOOGLE })),
      refused(/^no --oidc-jwks is given for https:\/\/accounts.google.com$/),
    );
  });

  test("requires exp, at creation and at verify", async () => {
    const check = /^the token has no exp claim, which strict requires$/;
    expectUnauthorized(await create(await idp.token()), refused(check));
    const { body } = await create(await idp.token({ exp }));
    const verified = await sim?.call("POST", `/auth/credentials/${body.id}/verify`, {
      type: "OAUTH",
      oidcToken: await idp.token(),
      clientPublicKey: P256_BASE_POINT,
    });
    if (verified) expectUnauthorized(verified, refused(check));
  });
});

describe("--crypto both", () => {
  test("accepts the built-in issuer's tokens in any issuer's name, without exp too", async () => {
    await start({ oidcJwks: both() });
    for (const iss of [ISSUER, GOOGLE]) {
      const wallet = await WalletClient.create(sim as TestSimulator);
      expect(await signIn(wallet, await builtIn({ iss }))).toBe(200);
    }
    expect(await signIn(await WalletClient.create(sim as TestSimulator), await idp.token())).toBe(
      200,
    );
  });

  test("uses a JWKS without an issuer for any, and one with an issuer for that alone", async () => {
    await start({ oidcJwks: [directory.file("idp.json"), both()[1] as string] });
    const wallets = await Promise.all(
      [1, 2, 3].map(() => WalletClient.create(sim as TestSimulator)),
    );
    const [one, two, three] = wallets as [WalletClient, WalletClient, WalletClient];
    expect(await signIn(one, await idp.token({ iss: GOOGLE }))).toBe(200);
    expect(await signIn(two, await idp.token({ iss: OTHER_ISSUER }))).toBe(200);
    expect(await signIn(three, await other.token({ iss: GOOGLE }))).toBe(401);
  });

  test("an issuer with a JWKS is recognized without --oidc-issuer", async () => {
    await start({ oidcJwks: both() });
    expect((await create(await other.token({ iss: OTHER_ISSUER }))).status).toBe(201);
    expect((await create(await other.token({ iss: "https://third.example" }))).status).toBe(400);
  });
});

/** Makes a credential and proves it with the same token. */
const signIn = async ({ sim: world, accountId }: WalletClient, oidcToken: string) => {
  const body = { type: "OAUTH", accountId, oidcToken };
  const made = await world.call("POST", "/auth/credentials", body);
  const { status } = await world.call("POST", `/auth/credentials/${made.body.id}/verify`, {
    type: "OAUTH",
    oidcToken,
    clientPublicKey: P256_BASE_POINT,
  });
  return status;
};

/** Any point of the curve serves as a client key that is not used. */
const P256_BASE_POINT =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

// spec/id-tokens.md#jwks-option
describe("a start is refused", () => {
  test("in strict with a JWKS without an issuer", async () => {
    const oidcJwks = directory.file("idp.json");
    await expect(start({ crypto: "strict", oidcJwks })).rejects.toThrow(
      `Expected --oidc-jwks as <issuer>=<file or url> with --crypto strict but found ${oidcJwks}`,
    );
  });

  test("for a kept strict state too, which stays as it was", async () => {
    await (await start({ storage: directory.url, crypto: "strict" })).sim.close();
    sim = undefined;
    const oidcJwks = directory.file("idp.json");
    await expect(reopen(directory, { oidcJwks })).rejects.toThrow("<issuer>=<file or url>");
    sim = await reopen(directory, { oidcJwks, crypto: "both" });
    expect(await signIn(await WalletClient.create(sim), await idp.token({ iss: GOOGLE }))).toBe(
      200,
    );
  });

  test.each([
    { text: undefined, found: "ENOENT" },
    { text: "{", found: "text that is not JSON" },
    { text: "null", found: "no list of keys" },
    { text: '{"keys":{}}', found: "no list of keys" },
    { text: '{"keys":[7]}', found: "a key without kty" },
  ])("with a file that is not a JWKS: $text", async ({ text, found }) => {
    const file = directory.file("wrong.json");
    if (text !== undefined) writeFileSync(file, text);
    for (const oidcJwks of [file, `${ISSUER}=${file}`, [...both(), `${GOOGLE}=${file}`]])
      await expect(start({ oidcJwks })).rejects.toThrow(
        `Expected --oidc-jwks to name a JWKS but found ${found} at ${file}`,
      );
  });
});

test("a file that is deleted later is named in the refusals of its tokens", async () => {
  await start({ oidcJwks: both(), crypto: "strict" });
  const file = directory.file("idp.json");
  writeFileSync(file, "");
  expectUnauthorized(
    await create(await idp.token({ exp })),
    refused(/^the JWKS at .*idp.json cannot be read: text that is not JSON$/),
  );
});

test.each([
  { text: "keys.json", issuer: undefined, at: "keys.json" },
  { text: "/etc/a=b.json", issuer: undefined, at: "/etc/a=b.json" },
  { text: "./a=b.json", issuer: undefined, at: "./a=b.json" },
  { text: "https://idp.example/jwks", issuer: undefined, at: "https://idp.example/jwks" },
  {
    text: "https://idp.example/jwks?tenant=7",
    issuer: undefined,
    at: "https://idp.example/jwks?tenant=7",
  },
  { text: "https://idp.example=keys.json", issuer: "https://idp.example", at: "keys.json" },
  {
    text: "https://idp.example/=https://idp.example/jwks?tenant=7",
    issuer: "https://idp.example/",
    at: "https://idp.example/jwks?tenant=7",
  },
  { text: "accounts.google.com=/etc/k.json", issuer: "accounts.google.com", at: "/etc/k.json" },
  { text: "=keys.json", issuer: undefined, at: "=keys.json" },
])("$text names the JWKS at $at of the issuer $issuer", ({ text, issuer, at }) => {
  const file = at.startsWith("https:") ? {} : { path: resolve(at) };
  expect(jwksSourceOf(text)).toEqual({ ...(issuer !== undefined && { issuer }), at, ...file });
});
