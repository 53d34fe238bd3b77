import { beforeEach, describe, expect, test } from "vitest";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { PasskeyClient } from "./setup/passkey-client.ts";
import { expectUnauthorized } from "./setup/unauthorized.ts";
import { clientKeys, openedSession, WalletClient } from "./setup/wallet-client.ts";

const world = worldPerTest();

let wallet: WalletClient;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
});

const KEYS = clientKeys();

const verify = (id: string, body: object) =>
  world().call("POST", `/auth/credentials/${id}/verify`, {
    clientPublicKey: KEYS.publicKey,
    ...body,
  });

const code = (id: string, otp: unknown) => verify(id, { type: "EMAIL_OTP", otp });

const challenge = (id: string) => world().call("POST", `/auth/credentials/${id}/challenge`);

const mailed = async (): Promise<string> =>
  (await world().control("GET", "/inbox")).body.data[0].code;

const WRONG = "no-code";
const invalidCode = (check: RegExp) => ({ reason: "Invalid OTP code", check });

const MAGIC_ASSERTION = {
  credentialId: "eA",
  clientDataJson: "eA",
  authenticatorData: "eA",
  signature: "sandbox-valid-passkey-signature",
};

describe("the answer", () => {
  test.each(["EMAIL_OTP", "OAUTH", "PASSKEY"])("%s: a session, its key once", async (type) => {
    const shows = {
      EMAIL_OTP: { nickname: "ada@example.com" },
      OAUTH: { nickname: "ada@idp.example" },
      PASSKEY: { nickname: "Laptop", credentialId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) },
    }[type];
    const prove = {
      EMAIL_OTP: async () => code(await wallet.addEmail(), await mailed()),
      OAUTH: async () =>
        verify(await wallet.addOauth(), { type, oidcToken: "sandbox-valid-oidc-token" }),
      PASSKEY: async () => {
        const passkey = await PasskeyClient.register(wallet);
        const asked = await passkey.challenge(KEYS);
        return passkey.verify(passkey.assertion(asked.challenge), asked.requestId);
      },
    }[type] as () => ReturnType<typeof verify>;
    const { status, body } = await prove();
    expect(status).toBe(200);
    const shown = {
      id: expect.stringMatching(/^Session:[0-9a-f-]{36}$/),
      accountId: wallet.accountId,
      type,
      ...shows,
      createdAt: "2026-01-05T09:00:00.000Z",
      updatedAt: "2026-01-05T09:00:00.000Z",
      expiresAt: "2026-01-05T09:15:00.000Z",
    };
    expect(body).toEqual({ ...shown, encryptedSessionSigningKey: expect.any(String) });
    expect((await openedSession(body, KEYS)).privateKeyHex).toMatch(/^[0-9a-f]{64}$/);
    const list = await world().call("GET", `/auth/sessions?accountId=${wallet.accountId}`);
    expect(list.body).toEqual({ data: [shown] });
  });

  test("sessions add up, each with a key of its own", async () => {
    const id = await wallet.addOauth();
    const one = await wallet.signInByToken(id);
    const other = await wallet.signInByToken(id);
    expect(one.privateKeyHex).not.toBe(other.privateKeyHex);
    const { data } = (await world().call("GET", `/auth/sessions?accountId=${wallet.accountId}`))
      .body;
    expect(data.map((session: { id: string }) => session.id)).toEqual([other.id, one.id]);
  });
});

describe("codes", () => {
  test("the mailed one counts once; the magic one needs no mail", async () => {
    const id = await wallet.addEmail();
    const otp = await mailed();
    expect((await code(id, otp)).status).toBe(200);
    expectUnauthorized(await code(id, otp), invalidCode(/no code is pending/));
    expect((await code(id, "000000")).status).toBe(200);
    expect((await code(id, "000000")).status).toBe(200);
  });

  test("the magic one uses up the pending one", async () => {
    const id = await wallet.addEmail();
    const otp = await mailed();
    expect((await code(id, "000000")).status).toBe(200);
    expectUnauthorized(await code(id, otp), invalidCode(/no code is pending/));
  });

  test("a fresh one replaces the one before", async () => {
    const id = await wallet.addEmail();
    const old = await mailed();
    await challenge(id);
    expectUnauthorized(await code(id, old), invalidCode(/not the newest emailed code/));
    expect((await code(id, await mailed())).status).toBe(200);
  });

  test.each(["", " ", "000000 ", "0000000", "00000", "null"])("%j is wrong", async (otp) => {
    const id = await wallet.addEmail();
    expectUnauthorized(await code(id, otp), invalidCode(/not the newest emailed code/));
  });

  test.each([undefined, null, 0, 123456, ["000000"]])("%j is not a code", async (otp) => {
    const id = await wallet.addEmail();
    expectRefused(await code(id, otp), { status: 400, code: "INVALID_INPUT", field: "otp" });
  });

  // spec/credentials.md#code-lifetime
  test("is valid until the millisecond before it expires", async () => {
    const id = await wallet.addEmail();
    const otp = await mailed();
    await goTo(world(), "09:04:59.999");
    expect((await code(id, otp)).status).toBe(200);
  });

  test("no longer counts at the instant it expires; the magic one does", async () => {
    const id = await wallet.addEmail();
    const otp = await mailed();
    await goTo(world(), "09:05:00.000");
    expectUnauthorized(await code(id, otp), invalidCode(/no code is pending/));
    expect((await code(id, "000000")).status).toBe(200);
  });

  test("lives as long as configured when it was sent", async () => {
    await world().call("PATCH", "/config", { embeddedWalletConfig: { expirationSeconds: 1 } });
    const id = await wallet.addEmail();
    await world().call("PATCH", "/config", { embeddedWalletConfig: { expirationSeconds: 86400 } });
    await goTo(world(), "09:00:01.000");
    expectUnauthorized(await code(id, await mailed()), invalidCode(/no code is pending/));
    await challenge(id);
    await goTo(world(), "09:05:01.000");
    expect((await code(id, await mailed())).status).toBe(200);
  });

  test("of another credential is wrong", async () => {
    const id = await wallet.addEmail();
    const other = await WalletClient.create(world(), { email: "grace@example.com" });
    await other.addEmail("grace@example.com");
    expectUnauthorized(await code(id, await mailed()), invalidCode(/not the newest emailed code/));
  });
});

describe("after five wrong codes", () => {
  const lockOut = async () => {
    const id = await wallet.addEmail();
    for (let n = 0; n < 5; n += 1)
      expectUnauthorized(await code(id, WRONG), invalidCode(/not the newest emailed code/));
    return id;
  };

  const expectLocked = async (id: string, otp: string, retryAfter = "1") => {
    const answer = await code(id, otp);
    expectRefused(answer, { status: 429, code: "RATE_LIMITED" });
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
  };

  test("every code is 429: wrong, right and magic ones", async () => {
    const id = await lockOut();
    for (const otp of [WRONG, await mailed(), "000000"]) await expectLocked(id, otp);
  });

  test("four wrong ones do not lock", async () => {
    const id = await wallet.addEmail();
    for (let n = 0; n < 4; n += 1) await code(id, WRONG);
    expect((await code(id, await mailed())).status).toBe(200);
  });

  test("a fresh code starts a new count", async () => {
    const id = await lockOut();
    await challenge(id);
    for (let n = 0; n < 4; n += 1) await code(id, WRONG);
    expect((await code(id, await mailed())).status).toBe(200);
  });

  test("Retry-After is the time until the next code may be asked for", async () => {
    const id = await wallet.addEmail();
    for (const time of ["09:00:10.000", "09:00:20.000", "09:00:30.000"]) {
      await goTo(world(), time);
      await challenge(id);
    }
    for (let n = 0; n < 5; n += 1) await code(id, WRONG);
    await expectLocked(id, "000000", "40");
    await goTo(world(), "09:01:09.500");
    await expectLocked(id, "000000", "1");
    await goTo(world(), "09:01:10.000");
    await expectLocked(id, "000000", "1");
    expect((await challenge(id)).status).toBe(200);
    expect((await code(id, "000000")).status).toBe(200);
  });

  test("the lock ends with the code it belongs to", async () => {
    const id = await lockOut();
    await goTo(world(), "09:05:00.000");
    expectUnauthorized(await code(id, WRONG), invalidCode(/no code is pending/));
    expect((await code(id, "000000")).status).toBe(200);
  });

  test("wrong codes while none is pending are not counted", async () => {
    const id = await wallet.addEmail();
    await code(id, "000000");
    for (let n = 0; n < 7; n += 1)
      expectUnauthorized(await code(id, WRONG), invalidCode(/no code is pending/));
    await challenge(id);
    expect((await code(id, await mailed())).status).toBe(200);
  });

  test("five concurrent wrong codes are all counted", async () => {
    const id = await wallet.addEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => code(id, WRONG)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });
});

test("a right code in two concurrent calls issues one session", async () => {
  const id = await wallet.addEmail();
  const otp = await mailed();
  const answers = await Promise.all([code(id, otp), code(id, otp), code(id, otp)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
});

describe("a proof of another type", () => {
  const PROOFS = [
    { type: "EMAIL_OTP", otp: "000000" },
    { type: "OAUTH", oidcToken: "sandbox-valid-oidc-token" },
    { type: "PASSKEY", assertion: MAGIC_ASSERTION },
  ];

  test.each(PROOFS)("$type", async (proof) => {
    const ids = {
      EMAIL_OTP: await wallet.addEmail(),
      OAUTH: await wallet.addOauth(),
      PASSKEY: await wallet.addPasskey(),
    };
    for (const [type, id] of Object.entries(ids)) {
      if (type === proof.type) continue;
      expectRefused(await verify(id, proof), {
        status: 400,
        code: "INVALID_INPUT",
        field: "type",
      });
    }
  });

  test("an unknown credential is 404 before the body is checked", async () => {
    for (const body of [...PROOFS, {}, { type: 7 }])
      expectRefused(await verify("AuthMethod:none", body), {
        status: 404,
        code: "REFERENCE_NOT_FOUND",
      });
  });
});
