import { beforeEach, describe, expect, test } from "vitest";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { clientKeys, WalletClient } from "./setup/wallet-client.ts";

const world = worldPerTest();

let wallet: WalletClient;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
});

const challenge = (id: string, body?: unknown) =>
  world().call("POST", `/auth/credentials/${id}/challenge`, body);

const mails = async (): Promise<{ code: string; sentAt: string }[]> =>
  (await world().control("GET", "/inbox")).body.data;

/** Hex of the right length that is not a point: any digits, and an X with a wrong Y. */
const OFF_CURVE = [`04${"1".repeat(128)}`, `04${"0".repeat(128)}`, `04${"f".repeat(128)}`];

describe("of a mailed code", () => {
  test.each([
    ["without a body", undefined],
    ["with an empty one", {}],
    ["with a key", { clientPublicKey: clientKeys().publicKey }],
    ["with a key that is none, which is ignored", { clientPublicKey: "junk" }],
    ["with a key off the curve, which is ignored", { clientPublicKey: OFF_CURVE[0] }],
  ])("%s mails a fresh code and answers with the credential as it was", async (_what, body) => {
    const id = await wallet.addEmail();
    const [before] = (await world().call("GET", `/auth/credentials?accountId=${wallet.accountId}`))
      .body.data;
    await goTo(world(), "09:00:10.000");
    const answer = await challenge(id, body);
    expect([answer.status, answer.body]).toEqual([200, before]);
    const [fresh, first] = await mails();
    expect([fresh?.sentAt, first?.sentAt]).toEqual([
      "2026-01-05T09:00:10.000Z",
      "2026-01-05T09:00:00.000Z",
    ]);
    expect(fresh?.code).not.toBe(first?.code);
  });

  test("three in a minute, then 429 until the first is a minute old", async () => {
    const id = await wallet.addEmail();
    for (const time of ["09:00:10.000", "09:00:20.500", "09:00:30.000"]) {
      await goTo(world(), time);
      expect((await challenge(id)).status).toBe(200);
    }
    const refusedAt = async (time: string, retryAfter: string) => {
      await goTo(world(), time);
      const sent = (await mails()).length;
      const answer = await challenge(id);
      expectRefused(answer, { status: 429, code: "RATE_LIMITED" });
      expect(answer.headers.get("retry-after")).toBe(retryAfter);
      expect(await mails()).toHaveLength(sent);
    };
    await refusedAt("09:00:30.001", "40");
    await refusedAt("09:00:40.000", "30");
    await refusedAt("09:01:08.999", "2");
    await refusedAt("09:01:09.000", "1");
    await refusedAt("09:01:09.999", "1");
    await goTo(world(), "09:01:10.000");
    expect((await challenge(id)).status).toBe(200);
    await refusedAt("09:01:10.001", "11");
    await goTo(world(), "09:01:20.500");
    expect((await challenge(id)).status).toBe(200);
  });

  test("each credential has a limit of its own", async () => {
    const id = await wallet.addEmail();
    const other = await WalletClient.create(world(), { email: "grace@example.com" });
    const otherId = await other.addEmail("grace@example.com");
    for (let n = 0; n < 3; n += 1) await challenge(id);
    expect((await challenge(id)).status).toBe(429);
    expect((await challenge(otherId)).status).toBe(200);
  });

  test("a sign-in does not lift it", async () => {
    const id = await wallet.addEmail();
    for (let n = 0; n < 3; n += 1) await challenge(id);
    await wallet.signIn(id);
    expect((await challenge(id)).status).toBe(429);
  });
});

describe("of a passkey", () => {
  test("is the credential with a challenge, valid for five minutes", async () => {
    const id = await wallet.addPasskey();
    const { publicKey } = clientKeys();
    const { status, body } = await challenge(id, { clientPublicKey: publicKey });
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      accountId: wallet.accountId,
      type: "PASSKEY",
      credentialId: "q1ZrT0hWm9xUe2pLd7sYcA",
      nickname: "Work laptop",
      createdAt: "2026-01-05T09:00:00.000Z",
      updatedAt: "2026-01-05T09:00:00.000Z",
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      requestId: expect.stringMatching(/^Request:[0-9a-f-]{36}$/),
      expiresAt: "2026-01-05T09:05:00.000Z",
    });
    expect(Buffer.from(body.challenge, "base64url").toString("base64url")).toBe(body.challenge);
    const again = await challenge(id, { clientPublicKey: publicKey.toUpperCase() });
    expect(again.status).toBe(200);
    expect(again.body.challenge).not.toBe(body.challenge);
    expect(await mails()).toEqual([]);
  });

  test("is not limited", async () => {
    const id = await wallet.addPasskey();
    const body = { clientPublicKey: clientKeys().publicKey };
    for (let n = 0; n < 12; n += 1) expect((await challenge(id, body)).status).toBe(200);
  });

  test.each([
    undefined,
    {},
    { clientPublicKey: null },
    { clientPublicKey: 4 },
    { clientPublicKey: "" },
    { clientPublicKey: clientKeys().publicKey.slice(2) },
    { clientPublicKey: `${clientKeys().publicKey}00` },
    { clientPublicKey: `05${clientKeys().publicKey.slice(2)}` },
    { clientPublicKey: ` ${clientKeys().publicKey}` },
    { clientPublicKey: `${clientKeys().publicKey}\n` },
    ...OFF_CURVE.map((clientPublicKey) => ({ clientPublicKey })),
  ])("is refused with %j", async (body) => {
    const id = await wallet.addPasskey();
    expectRefused(await challenge(id, body), {
      status: 400,
      code: "INVALID_INPUT",
      field: body === undefined ? "body" : "clientPublicKey",
    });
  });
});

test("an OAUTH credential has none", async () => {
  const id = await wallet.addOauth();
  const body = { clientPublicKey: clientKeys().publicKey };
  for (const sent of [undefined, body])
    expectRefused(await challenge(id, sent), { status: 400, code: "INVALID_INPUT", field: "id" });
});

test("of an unknown credential is 404, before its body is checked", async () => {
  for (const id of ["AuthMethod:none", "x", wallet.accountId])
    expectRefused(await challenge(id, { clientPublicKey: 4 }), {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
    });
});

describe("a key off the curve is refused wherever a key is taken", () => {
  test.each(["verify EMAIL_OTP", "verify OAUTH", "refresh", "export"])("%s", async (where) => {
    const oauth = await wallet.addOauth();
    const session = await wallet.signInByToken(oauth);
    for (const clientPublicKey of [...OFF_CURVE, "04", 7]) {
      const proof = { type: "OAUTH", oidcToken: "sandbox-valid-oidc-token", clientPublicKey };
      const code = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
      const meet = {
        "verify EMAIL_OTP": async () => {
          const other = await WalletClient.create(world(), { email: "grace@example.com" });
          const id = await other.addEmail("grace@example.com");
          return world().call("POST", `/auth/credentials/${id}/verify`, code);
        },
        "verify OAUTH": () => world().call("POST", `/auth/credentials/${oauth}/verify`, proof),
        refresh: () =>
          world().call("POST", `/auth/sessions/${session.id}/refresh`, { clientPublicKey }),
        export: () =>
          world().call("POST", `/internal-accounts/${wallet.accountId}/export`, {
            clientPublicKey,
          }),
      }[where] as () => ReturnType<typeof challenge>;
      expectRefused(await meet(), { status: 400, code: "INVALID_INPUT", field: "clientPublicKey" });
    }
  });
});
