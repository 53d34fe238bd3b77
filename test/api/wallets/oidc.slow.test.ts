import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { goTo } from "../setup/told.ts";
import { CLAIMS, IdTokenIssuer, ISSUER, NOW_S } from "./setup/id-token-issuer.ts";
import { expectUnauthorized } from "./setup/unauthorized.ts";
import { clientKeys, openedSession, WalletClient } from "./setup/wallet-client.ts";

const KEYS = clientKeys();

const create = ({ sim, accountId }: WalletClient, oidcToken: string) =>
  sim.call("POST", "/auth/credentials", { type: "OAUTH", accountId, oidcToken });

const verify = ({ sim }: WalletClient, id: string, oidcToken: string) =>
  sim.call("POST", `/auth/credentials/${id}/verify`, {
    type: "OAUTH",
    oidcToken,
    clientPublicKey: KEYS.publicKey,
  });

const refused = (check: RegExp) => ({ reason: "Invalid OIDC token", check });

// spec/id-tokens.md#built-in-issuer, spec/id-tokens.md#issued-tokens
describe("the built-in issuer", () => {
  let sim: TestSimulator;
  let wallet: WalletClient;

  beforeEach(async () => {
    sim = await startTestSimulator();
    wallet = await WalletClient.create(sim);
  });

  afterEach(() => sim.sim.close());

  const tokenOf = async (claims?: object) =>
    (await sim.control("POST", "/oidc/token", claims)).body.token as string;

  test("is discovered over HTTP, and its tokens verify with its keys through jose", async () => {
    const { url } = await sim.sim.listen();
    const issuer = `${url}/_sim/oidc`;
    const found = await fetch(`${issuer}/.well-known/openid-configuration`);
    const discovery = (await found.json()) as { issuer: string; jwks_uri: string };
    expect(discovery.issuer).toBe(issuer);
    const jwks = createRemoteJWKSet(new URL(discovery.jwks_uri));
    const { payload, protectedHeader } = await jwtVerify(await tokenOf(), jwks, {
      issuer,
      audience: "service-sim",
      currentDate: new Date(NOW_S * 1000),
      maxTokenAge: 60,
    });
    expect(protectedHeader).toEqual({ alg: "ES256", typ: "JWT", kid: expect.any(String) });
    expect(payload).toEqual({
      iss: issuer,
      sub: expect.stringMatching(/^[0-9a-f]{21}$/),
      aud: "service-sim",
      email: "ada@example.com",
      iat: NOW_S,
      exp: NOW_S + 3600,
    });
    const { keys } = (await (await fetch(discovery.jwks_uri)).json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty("d");
  });

  test("makes and proves a credential, with the claims that were asked for", async () => {
    const made = await create(wallet, await tokenOf({ email: "grace@example.com", nonce: "n" }));
    expect([made.status, made.body.nickname]).toEqual([201, "grace@example.com"]);
    const again = await tokenOf({ email: "grace@example.com" });
    const { status, body } = await verify(wallet, made.body.id, again);
    expect(status).toBe(200);
    expect((await openedSession(body, KEYS)).id).toBe(body.id);
    const other = await verify(wallet, made.body.id, await tokenOf({ email: "eve@example.com" }));
    expectUnauthorized(other, refused(/^sub is not the one of the credential$/));
    const audience = await tokenOf({ email: "grace@example.com", aud: "other" });
    expectUnauthorized(await verify(wallet, made.body.id, audience), refused(/^aud is not/));
  });

  test("stands in for Google if asked to", async () => {
    const iss = "https://accounts.google.com";
    const made = await create(wallet, await tokenOf({ iss }));
    expect((await verify(wallet, made.body.id, await tokenOf({ iss }))).status).toBe(200);
    expectUnauthorized(await verify(wallet, made.body.id, await tokenOf()), refused(/^iss is not/));
  });

  test("issues at simulated time: a token is valid for exactly sixty seconds", async () => {
    const made = await create(wallet, await tokenOf());
    const token = await tokenOf();
    await goTo(sim, "09:01:00.000");
    expect((await verify(wallet, made.body.id, token)).status).toBe(200);
    await goTo(sim, "09:01:00.001");
    expectUnauthorized(
      await verify(wallet, made.body.id, token),
      refused(/^iat is 1m1ms old, more than 1m$/),
    );
    expect((await verify(wallet, made.body.id, await tokenOf())).status).toBe(200);
  });

  test.each(["email", "sub", "iss", "aud", "nonce"])("refuses an ill-formed %s", async (name) => {
    const { status } = await sim.control("POST", "/oidc/token", { [name]: 7 });
    expect(status).toBe(400);
  });
});

test("a credential of the built-in issuer survives a restart on another port", async () => {
  const directory = new StateDirectory();
  const before = await startTestSimulator({ storage: directory.url });
  await before.sim.listen();
  const wallet = await WalletClient.create(before);
  const { body } = await before.control("POST", "/oidc/token");
  const made = await create(wallet, body.token);
  expect(made.status).toBe(201);
  await before.sim.close();
  const after = await reopen(directory);
  await after.sim.listen();
  const fresh = (await after.control("POST", "/oidc/token")).body;
  expect(fresh.claims.iss).not.toBe(body.claims.iss);
  expect((await verify(wallet.on(after), made.body.id, fresh.token)).status).toBe(200);
  await after.sim.close();
  directory.remove();
});

// spec/id-tokens.md#claims, spec/id-tokens.md#signing-algorithms
describe("a custom issuer, --oidc-issuer and --oidc-jwks", () => {
  const own = new IdTokenIssuer("key-1");
  const foreign = new IdTokenIssuer("key-1");
  const unknown = new IdTokenIssuer("key-2");
  let directory: StateDirectory;
  let sim: TestSimulator;
  let wallet: WalletClient;
  let id: string;

  beforeEach(async () => {
    directory = new StateDirectory();
    const { writeFileSync } = await import("node:fs");
    const oidcJwks = directory.file("jwks.json");
    writeFileSync(oidcJwks, JSON.stringify({ keys: [own.jwk()] }));
    sim = await startTestSimulator({ oidcIssuers: [ISSUER], oidcJwks });
    wallet = await WalletClient.create(sim);
    const made = await create(wallet, await own.token());
    expect(made.status).toBe(201);
    id = made.body.id;
  });

  afterEach(async () => {
    await sim.sim.close();
    expect(sim.alarms).toEqual([]);
    directory.remove();
  });

  test.each([
    ["now", {}],
    ["60 s old", { iat: NOW_S - 60 }],
    ["5 s ahead", { iat: NOW_S + 5 }],
    ["with a later exp", { exp: NOW_S + 1 }],
    ["with a nonce and another address", { nonce: "n", email: "other@idp.example" }],
  ])("%s", async (_what, claims) => {
    expect((await verify(wallet, id, await own.token(claims))).status).toBe(200);
  });

  test("the payload names an unknown provider by its host", async () => {
    const other = await WalletClient.create(sim, { email: "a@b.example" });
    await other.addEmail("a@b.example");
    const { payloadToSign } = (await create(other, await own.token())).body;
    const [provider] = JSON.parse(payloadToSign).parameters.oauthProviders;
    expect(provider.providerName).toBe("idp.example");
  });

  const unsigned = (header: object, claims: object = CLAIMS) =>
    [header, claims].map((it) => Buffer.from(JSON.stringify(it)).toString("base64url")).join(".");

  const withSecret = (secret: string | Buffer) => {
    const text = unsigned({ alg: "HS256", typ: "JWT", kid: "key-1" });
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };

  const tampered = async (part: 0 | 1 | 2) => {
    const parts = (await own.token()).split(".");
    const bytes = Buffer.from(parts[part] as string, "base64url");
    if (part === 1) return [parts[0], unsigned({}, { ...CLAIMS, x: 1 }).split(".")[1], parts[2]];
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 2) ^ 1, bytes.length - 2);
    parts[part] = bytes.toString("base64url");
    return parts;
  };

  test.each<[string, () => Promise<string> | string, RegExp]>([
    ["61 s old", () => own.token({ iat: NOW_S - 61 }), /^iat is 1m1s old, more than 1m$/],
    ["6 s ahead", () => own.token({ iat: NOW_S + 6 }), /^iat is 6s ahead of .*, more than 5s$/],
    [
      "a little more than 5 s ahead",
      () => own.token({ iat: NOW_S + 5.001 }),
      /^iat is 5s1ms ahead/,
    ],
    ["without iat", () => own.token({ iat: undefined }), /no iat claim/],
    ["with iat as text", () => own.token({ iat: `${NOW_S}` }), /no iat claim/],
    ["with a huge iat", () => own.token({ iat: 1e300 }), /ahead/],
    ["over by exp", () => own.token({ exp: NOW_S }), /exp/],
    ["not yet by nbf", () => own.token({ nbf: NOW_S + 6 }), /nbf/],
    ["by a foreign key of the same name", () => foreign.token(), /does not match the known key/],
    ["by an unknown key", () => unknown.token(), /no known key/],
    ["alg none", () => `${unsigned({ alg: "none", kid: "key-1" })}.eA`, /alg/],
    ["alg none, no signature", () => `${unsigned({ alg: "none" })}.`, /not a JWT/],
    ["HS256 with the key as PEM", () => withSecret(pem()), /alg/],
    ["HS256 with the key as JWK", () => withSecret(JSON.stringify(own.jwk())), /alg/],
    ["HS256 with nothing", () => withSecret(""), /alg/],
    ["of another subject", () => own.token({ sub: "user-8" }), /^sub is not/],
    ["without a subject", () => own.token({ sub: undefined }), /^sub is not/],
    ["for another audience", () => own.token({ aud: "other" }), /^aud is not/],
    ["for more audiences", () => own.token({ aud: ["wallet-app", "x"] }), /^aud is not/],
    ["of another known issuer", () => own.token({ iss: "accounts.google.com" }), /^iss is not/],
    ["of an unknown issuer", () => own.token({ iss: "https://x.example" }), /not recognized/],
    ["without an issuer", () => own.token({ iss: undefined }), /not recognized/],
    ["changed in its payload", async () => (await tampered(1)).join("."), /does not match/],
    ["changed in its signature", async () => (await tampered(2)).join("."), /does not match/],
    ["no JWT", () => "sandbox-invalid-oidc-token", /not a JWT/],
    ["nearly magic", () => "sandbox-valid-oidc-token ", /not a JWT/],
    ["empty", () => "", /not a JWT/],
  ])("%s is refused", async (_what, token, check) => {
    expectUnauthorized(await verify(wallet, id, await token()), refused(check));
    const sessions = await sim.call("GET", `/auth/sessions?accountId=${wallet.accountId}`);
    expect(sessions.body.data).toEqual([]);
  });

  const pem = () => own.publicKey.export({ type: "spki", format: "pem" }) as string;
});

// spec/id-tokens.md#jwks-reading
describe("the source of --oidc-jwks", () => {
  const own = new IdTokenIssuer();
  let opened: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of opened) await close();
    opened = [];
  });

  const withJwks = async (oidcJwks: string, issuer = own) => {
    const sim = await startTestSimulator({ oidcIssuers: [ISSUER], oidcJwks });
    opened.push(() => sim.sim.close());
    const wallet = await WalletClient.create(sim);
    const { body } = await create(wallet, await issuer.token());
    return verify(wallet, body.id, await issuer.token());
  };

  const served = async (answer: string, status = 200): Promise<string> => {
    const server: Server = createServer((_request, response) => {
      response.statusCode = status;
      response.end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    opened.push(() => new Promise((resolve) => server.close(resolve)));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  };

  test("may be a URL; a key and a token without kid match", async () => {
    const answer = await withJwks(await served(JSON.stringify({ keys: [own.jwk()] })));
    expect(answer.status).toBe(200);
  });

  test.each([
    { text: "null", found: "no list of keys" },
    { text: "[]", found: "no list of keys" },
    { text: "{}", found: "no list of keys" },
    { text: '{"keys":7}', found: "no list of keys" },
    { text: '{"keys":[null]}', found: "a key without kty" },
    { text: '{"keys":[{}]}', found: "a key without kty" },
    { text: "<html>", found: "text that is not JSON" },
    { text: '{"keys":[]}', status: 404, found: "status 404" },
    { text: '{"keys":[]}', status: 302, found: "status 302" },
  ])("a URL that answers $text is named in the refusal of its token", async (row) => {
    const url = await served(row.text, row.status);
    const answer = await withJwks(url);
    expectUnauthorized(answer, refused(/\S/));
    expect(answer.body.details.check).toBe(`the JWKS at ${url} cannot be read: ${row.found}`);
  });

  test("a JWKS over one mebibyte is not read to its end", async () => {
    const url = await served(`{"keys":[],"padding":"${" ".repeat(1_048_576)}"}`);
    const answer = await withJwks(url);
    expectUnauthorized(answer, refused(/cannot be read: more than 1048576 bytes$/));
  });

  test("a URL that does not answer is named too", async () => {
    expectUnauthorized(
      await withJwks("http://127.0.0.1:9/jwks"),
      refused(/^the JWKS at http:\/\/127.0.0.1:9\/jwks cannot be read: /),
    );
  });

  test("keys that cannot sign do not make a JWKS invalid", async () => {
    const url = await served(JSON.stringify({ keys: [new IdTokenIssuer("other").jwk()] }));
    const answer = await withJwks(url, new IdTokenIssuer("key-1"));
    expectUnauthorized(answer, refused(/^no known key has its kid and alg$/));
  });
});
