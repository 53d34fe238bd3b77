import { describe, expect, test } from "vitest";
import { createCardholder, issueCard, patchCard } from "../api/cards/setup/card-world.ts";
import { expectRefused } from "../api/setup/refused.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { MAGIC_SIGNATURE } from "../api/wallets/setup/wallet-client.ts";
import type { Answer, Parsed, TestSimulator } from "../setup/test-simulator.ts";

const PATH = "/auth/delegated-keys";

/** An active card that a wallet with 20 USDB funds. */
const walletCard = async (world: TestSimulator) => {
  const holder = await createCardholder(world, { usdb: 20_000_000 });
  const issue = { cardholderId: holder.customerId, fundingSources: [holder.walletId] };
  const card = await issueCard(world, issue);
  await world.control("POST", "/clock/advance", { by: "1s" });
  return { holder, card };
};

const send = (
  { raw }: TestSimulator,
  body: object,
  { signature = MAGIC_SIGNATURE, requestId }: { signature?: string; requestId?: string } = {},
): Promise<Answer> =>
  raw("POST", PATH, {
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      ...(requestId !== undefined && {
        "service-wallet-signature": signature,
        "request-id": requestId,
      }),
    },
  });

/** Makes all three calls. */
const createKey = async (world: TestSimulator, body: object) => {
  const first = await send(world, body);
  const second = await send(world, body, { requestId: first.body.requestId });
  return send(world, body, { requestId: second.body.requestId });
};

/** A further wallet of a customer, as the operator opens it. */
const secondWallet = async ({ sim }: TestSimulator, customerId: string): Promise<string> => {
  const body = JSON.stringify({ customerId, currency: "USDB" });
  const headers = { "content-type": "application/json" };
  const url = `${sim.controlUrl}/internal-accounts`;
  const made = await sim.fetch(new Request(url, { method: "POST", body, headers }));
  return ((await made.json()) as { id: string }).id;
};

const bodyFor = ({ holder, card }: Awaited<ReturnType<typeof walletCard>>) => ({
  ...{ cardId: card.id, internalAccountId: holder.walletId, nickname: "Coffee" },
});

const PURCHASE = {
  amount: 500,
  currency: { code: "USD" },
  merchant: { descriptor: "NORTH PIER BOOKS" },
};

const bought = async ({ call }: TestSimulator, cardId: string) => {
  const path = `/sandbox/cards/${cardId}/simulate/authorization`;
  const made = (await call("POST", path, PURCHASE)).body;
  if (made.id !== undefined) return made;
  const { issuerTransactionToken: token } = made;
  const { data } = (await call("GET", "/transactions")).body;
  return data.find((one: Parsed) => one.issuerTransactionToken === token);
};

// spec/later-wallets.md#delegated-keys
describe("a delegated key in 2026-08", () => {
  const world = worldPerTest({ revision: "2026-08" });

  test("is made by three calls with one body", async () => {
    const made = await walletCard(world());
    const body = bodyFor(made);
    const first = await send(world(), body);
    expect(first.status).toBe(202);
    expect(Object.keys(first.body)).toEqual(["payloadToSign", "requestId", "expiresAt"]);
    const user = JSON.parse(first.body.payloadToSign);
    const [{ apiKeys, userName }] = user.parameters.users;
    expect([user.type, userName, apiKeys[0].curveType]).toEqual([
      ...["ACTIVITY_TYPE_CREATE_USERS_V3", "Coffee", "API_KEY_CURVE_P256"],
    ]);
    const second = await send(world(), body, { requestId: first.body.requestId });
    expect(second.status).toBe(202);
    expect(second.body.requestId).not.toBe(first.body.requestId);
    const policy = JSON.parse(second.body.payloadToSign);
    expect([policy.type, policy.parameters.effect]).toEqual([
      ...["ACTIVITY_TYPE_CREATE_POLICY_V3", "EFFECT_ALLOW"],
    ]);
    const list = `${PATH}?accountId=${made.holder.walletId}`;
    const [pending] = (await world().call("GET", list)).body.data;
    expect(pending.status).toBe("PENDING");
    const third = await send(world(), body, { requestId: second.body.requestId });
    expect(third.status).toBe(201);
    expect(third.body).toEqual({
      id: pending.id,
      cardId: made.card.id,
      fundingSourceId: expect.stringMatching(/^CardFundingSource:[0-9a-f-]{36}$/),
      accountId: made.holder.walletId,
      publicKey: apiKeys[0].publicKey,
      nickname: "Coffee",
      status: "ACTIVE",
      createdAt: "2026-01-05T09:00:01.000Z",
      updatedAt: "2026-01-05T09:00:01.000Z",
    });
    expect((await world().call("GET", `${PATH}/${pending.id}`)).body).toEqual(third.body);
    const bySource = `${PATH}?fundingSourceId=${third.body.fundingSourceId}`;
    expect((await world().call("GET", bySource)).body.data).toEqual([third.body]);
  });

  test("needs the answer to its own challenge, and the same body", async () => {
    const body = bodyFor(await walletCard(world()));
    const { requestId } = (await send(world(), body)).body;
    const changed = await send(world(), { ...body, nickname: "Tea" }, { requestId });
    expectRefused(changed, {
      ...{ status: 401, code: "UNAUTHORIZED" },
      reason: "Request body does not match the pending request",
    });
    expectRefused(await send(world(), body, { requestId, signature: "AAAA" }), {
      ...{ status: 401, code: "UNAUTHORIZED", reason: "Invalid Service-Wallet-Signature" },
    });
    const second = await send(world(), body, { requestId });
    expect(second.status).toBe(202);
    expectRefused(await send(world(), body, { requestId }), {
      ...{ status: 401, code: "UNAUTHORIZED", reason: "Request-Id already used" },
    });
  });

  test("exists once; a PENDING one blocks nothing", async () => {
    const body = bodyFor(await walletCard(world()));
    const abandoned = await send(world(), body);
    const half = await send(world(), body, { requestId: abandoned.body.requestId });
    expect((await createKey(world(), body)).status).toBe(201);
    expectRefused(await send(world(), body), {
      ...{ status: 409, code: "CONFLICT", reason: "DELEGATED_KEY_EXISTS" },
    });
    const late = await send(world(), body, { requestId: half.body.requestId });
    expect(late.status).toBe(409);
  });

  test("is 404 for an unknown card, for an account, and for a wallet of another", async () => {
    const { holder, card } = await walletCard(world());
    const other = await createCardholder(world());
    const body = { cardId: card.id, internalAccountId: holder.walletId, nickname: "Coffee" };
    for (const wrong of [
      { cardId: "Card:none" },
      { internalAccountId: holder.usdId },
      { internalAccountId: other.walletId },
    ]) {
      const refused = await send(world(), { ...body, ...wrong });
      expect([refused.status, refused.body.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
  });

  test("is listed by one of two ids at least", async () => {
    const refused = await world().call("GET", PATH);
    expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "accountId" });
    const unknown = await world().call("GET", `${PATH}?accountId=InternalAccount:none`);
    expect([unknown.status, unknown.body]).toEqual([200, { data: [] }]);
  });

  test("is revoked without a signature, once", async () => {
    const body = bodyFor(await walletCard(world()));
    const { id } = (await createKey(world(), body)).body;
    expect((await world().call("DELETE", `${PATH}/${id}`)).status).toBe(204);
    expect((await world().call("GET", `${PATH}/${id}`)).body.status).toBe("REVOKED");
    expectRefused(await world().call("DELETE", `${PATH}/${id}`), {
      ...{ status: 400, code: "INVALID_INPUT", reason: "DELEGATED_KEY_NOT_ACTIVE" },
    });
    expectRefused(await world().call("DELETE", `${PATH}/DelegatedKey:none`), {
      ...{ status: 404, code: "REFERENCE_NOT_FOUND" },
    });
    expect((await createKey(world(), body)).status).toBe(201);
  });

  // spec/later-wallets.md#wallets-that-fund-cards
  test("lets a wallet fund a card, until it is revoked", async () => {
    const made = await walletCard(world());
    const without = await bought(world(), made.card.id);
    expect(without.status).toBe("EXCEPTION");
    const { id } = (await createKey(world(), bodyFor(made))).body;
    expect((await bought(world(), made.card.id)).status).toBe("AUTHORIZED");
    await world().call("DELETE", `${PATH}/${id}`);
    expect((await bought(world(), made.card.id)).status).toBe("EXCEPTION");
  });

  test.each(["closing the card", "removing the source"])("is revoked by %s", async (how) => {
    const made = await walletCard(world());
    const { id } = (await createKey(world(), bodyFor(made))).body;
    const { holder, card } = made;
    const other = await secondWallet(world(), holder.customerId);
    const change = how === "closing the card" ? { state: "CLOSED" } : { fundingSources: [other] };
    expect((await patchCard(world(), card.id, change)).status).toBe(200);
    expect((await world().call("GET", `${PATH}/${id}`)).body.status).toBe("REVOKED");
  });
});

describe("in 2025-10", () => {
  const world = worldPerTest();

  test("there are no delegated keys, and a wallet funds a card", async () => {
    const { card, holder } = await walletCard(world());
    const refused = await world().call("GET", `${PATH}?accountId=${holder.walletId}`);
    expect(refused.status).toBe(404);
    expect(refused.body.message).toMatch(/revision 2026-08/i);
    expect((await bought(world(), card.id)).declineCode).toBeUndefined();
  });
});
