import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { expectRefused } from "../setup/refused.ts";
import { type SignedWorld, signedWorld } from "./setup/signed-operations.ts";
import { expectUnauthorized, USED_REQUEST } from "./setup/unauthorized.ts";
import { clientKeys, MAGIC_SIGNATURE, unsignedToken } from "./setup/wallet-client.ts";

const UNKNOWN_ID = "Request:00000000-0000-7000-8000-000000000000";

describe("signature headers do not count where no signature is needed", () => {
  let sim: TestSimulator;
  let own: SignedWorld;
  let usedId: string;

  beforeAll(async () => {
    sim = await startTestSimulator();
    own = await signedWorld(sim, "ada@example.com");
    const { wallet } = own;
    const path = `/internal-accounts/${wallet.accountId}`;
    const body = { privateEnabled: true };
    const { body: challenge } = await wallet.signed("PATCH", path, { body });
    usedId = challenge.requestId;
    const signature = MAGIC_SIGNATURE;
    const done = await wallet.signed("PATCH", path, { body, signature, requestId: usedId });
    expect(done.status).toBe(200);
  });

  afterAll(() => sim.sim.close());

  test.each(["unknown", "used"])("a first credential, %s Request-Id", async (which) => {
    const other = await sim.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const query = `customerId=${other.body.id}&type=EMBEDDED_WALLET`;
    const { body } = await sim.call("GET", `/customers/internal-accounts?${query}`);
    const answer = await own.wallet.signed("POST", "/auth/credentials", {
      body: { type: "OAUTH", accountId: body.data[0].id, oidcToken: unsignedToken() },
      signature: "junk",
      requestId: which === "used" ? usedId : UNKNOWN_ID,
    });
    expect(answer.status).toBe(201);
  });

  test.each(["unknown", "used"])(
    "a customer whose address is unchanged, %s Request-Id",
    async (which) => {
      const body = { customerType: "INDIVIDUAL", email: "ada@example.com", fullName: "Ada" };
      const answer = await own.wallet.signed("PATCH", `/customers/${own.wallet.customerId}`, {
        body,
        signature: "junk",
        requestId: which === "used" ? usedId : UNKNOWN_ID,
      });
      expect([answer.status, answer.body.fullName]).toEqual([200, "Ada"]);
    },
  );

  test("a code's verify, used Request-Id", async () => {
    const path = `/auth/credentials/${own.emailCredential}/verify`;
    const clientPublicKey = clientKeys().publicKey;
    const body = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
    expect((await own.wallet.signed("POST", path, { body, requestId: usedId })).status).toBe(200);
  });

  test("for an unknown wallet the used Request-Id is refused", async () => {
    const body = { type: "EMAIL_OTP", accountId: "InternalAccount:none", email: "a@b.example" };
    const signature = MAGIC_SIGNATURE;
    const answer = await own.wallet.signed("POST", "/auth/credentials", {
      body,
      signature,
      requestId: usedId,
    });
    expectUnauthorized(answer, { reason: USED_REQUEST, check: /used/ });
    expectRefused(await sim.call("POST", "/auth/credentials", body), {
      status: 400,
      code: "INVALID_INPUT",
      reason: "ACCOUNT_NOT_FOUND",
      field: "accountId",
    });
  });
});
