import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { canonicalJson } from "../../../src/domain/core/canonical-json.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { expectUnauthorized, INVALID_SIGNATURE } from "../wallets/setup/unauthorized.ts";
import { type OpenSession, WalletClient } from "../wallets/setup/wallet-client.ts";
import { getCard, issueCard, openAccount, patchCard } from "./setup/card-world.ts";

const world = worldPerTest();

/** A wallet whose owner has signed in. */
const signedIn = async () => {
  const wallet = await WalletClient.create(world());
  const session = await wallet.signIn(await wallet.addEmail());
  return { wallet, session };
};

let wallet: WalletClient;
let session: OpenSession;
let usdId: string;
let usdCard: string;
let walletCard: string;

beforeEach(async () => {
  ({ wallet, session } = await signedIn());
  const { customerId: cardholderId, accountId } = wallet;
  usdId = await openAccount(world(), { customerId: cardholderId, currency: "USD" });
  usdCard = (await issueCard(world(), { cardholderId, fundingSources: [usdId] })).id;
  walletCard = (await issueCard(world(), { cardholderId, fundingSources: [accountId] })).id;
});

const FREEZE = { state: "FROZEN" };

const ask = async (cardId: string, body: object = FREEZE) => {
  const { status, body: challenge } = await world().call("PATCH", `/cards/${cardId}`, body);
  expect(status).toBe(202);
  return challenge as { payloadToSign: string; requestId: string; expiresAt: string };
};

test("binding a wallet to a new card needs no signature, each change does", async () => {
  const { customerId: cardholderId, accountId } = wallet;
  const made = await world().call("POST", "/cards", {
    form: "VIRTUAL",
    cardholderId,
    fundingSources: [accountId],
  });
  expect([made.status, made.body.fundingSources]).toEqual([201, [accountId]]);
  const again = await world().call("PATCH", `/cards/${made.body.id}`, {
    fundingSources: [accountId],
  });
  expect(again.status).toBe(202);
});

test("the challenge contains the card and its change", async () => {
  const body = { fundingSources: [wallet.accountId], state: "FROZEN" };
  const challenge = await ask(walletCard, body);
  expect(Object.keys(challenge).sort()).toEqual(["expiresAt", "payloadToSign", "requestId"]);
  const { type, parameters, organizationId } = JSON.parse(challenge.payloadToSign);
  expect(type).toBe("ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2");
  expect(`InternalAccount:${organizationId}`).toBe(wallet.accountId);
  expect(parameters).toEqual({
    encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
    hashFunction: "HASH_FUNCTION_NO_OP",
    payload: createHash("sha256")
      .update(canonicalJson({ cardId: walletCard, ...body }))
      .digest("hex"),
    signWith: expect.any(String),
  });
});

describe("a session of the cardholder's wallet signs", () => {
  test.each(["stamp", "bare"] as const)("by a %s, whatever the card's sources", async (form) => {
    for (const cardId of [walletCard, usdCard]) {
      const { payloadToSign, requestId } = await ask(cardId);
      const sign = form === "stamp" ? stampOver : bareSignatureOver;
      const signature = sign(payloadToSign, session.privateKeyHex);
      const answer = await wallet.signed("PATCH", `/cards/${cardId}`, {
        body: FREEZE,
        signature,
        requestId,
      });
      expect([answer.status, answer.body.state]).toEqual([200, "FROZEN"]);
    }
  });

  test("of any of the cardholder's wallets, even one opened later", async () => {
    const { customerId } = wallet;
    const accountId = await openAccount(world(), { customerId, currency: "USDB" });
    const { body: credential } = await world().call("POST", "/auth/credentials", {
      type: "EMAIL_OTP",
      accountId,
      email: "ada@second.example",
    });
    const other = await wallet.signIn(credential.id);
    for (const cardId of [walletCard, usdCard]) {
      const answer = await wallet.retried("PATCH", `/cards/${cardId}`, {
        body: FREEZE,
        session: other,
      });
      expect(answer.status).toBe(200);
    }
  });
});

test("a session of another customer's wallet does not sign, in either form", async () => {
  const foreign = await signedIn();
  const { payloadToSign, requestId } = await ask(walletCard);
  for (const sign of [stampOver, bareSignatureOver]) {
    const signature = sign(payloadToSign, foreign.session.privateKeyHex);
    const answer = await wallet.signed("PATCH", `/cards/${walletCard}`, {
      body: FREEZE,
      signature,
      requestId,
    });
    expectUnauthorized(answer, { reason: INVALID_SIGNATURE, check: /session/ });
  }
  expect((await getCard(world(), walletCard)).state).toBe("ACTIVE");
});

test("the Request-Id of one card does not work for another", async () => {
  const { requestId } = await ask(walletCard);
  const answer = await wallet.signed("PATCH", `/cards/${usdCard}`, {
    body: FREEZE,
    signature: "sandbox-valid-signature",
    requestId,
  });
  expectUnauthorized(answer, { reason: "Unknown Request-Id", check: /^it belongs to PATCH/ });
});

test("a holder without any session or credential signs by the magic value", async () => {
  const { customerId: cardholderId, accountId } = await WalletClient.create(world());
  const { id } = await issueCard(world(), { cardholderId, fundingSources: [accountId] });
  const { status, body } = await patchCard(world(), id, FREEZE);
  expect([status, body.state]).toEqual([200, "FROZEN"]);
});

test("a used Request-Id is refused before the state is checked", async () => {
  const { requestId } = await ask(walletCard, { state: "CLOSED" });
  const close = () =>
    wallet.signed("PATCH", `/cards/${walletCard}`, {
      body: { state: "CLOSED" },
      signature: "sandbox-valid-signature",
      requestId,
    });
  expect((await close()).status).toBe(200);
  expectUnauthorized(await close(), { reason: "Request-Id already used", check: /used/ });
});

/** A walk through freezing a card (spec/cards.md#states). */
test("freeze a card and see a decline", async () => {
  const path = `/cards/${walletCard}`;
  const first = await world().call("PATCH", path, { state: "FROZEN" });
  expect(first.status).toBe(202);
  const second = await wallet.signed("PATCH", path, {
    body: { state: "FROZEN" },
    signature: "sandbox-valid-signature",
    requestId: first.body.requestId,
  });
  expect([second.status, second.body.state]).toEqual([200, "FROZEN"]);
  const third = await world().call("POST", `/sandbox${path}/simulate/authorization`, {
    amount: 2_000,
    currency: { code: "USD" },
    merchant: { descriptor: "NORTH PIER BOOKS", mcc: "5942", country: "US" },
  });
  expect([third.status, third.body.status, third.body.declineCode]).toEqual([
    200,
    "DECLINED",
    "CARD_PAUSED",
  ]);
  const fourth = await world().call("PATCH", path, { state: "FROZEN" });
  expect([fourth.status, fourth.body.code]).toEqual([409, "INVALID_STATE_TRANSITION"]);
  const fundingSources = [wallet.accountId];
  const fifth = await world().call("PATCH", path, { state: "CLOSED", fundingSources });
  expect([fifth.status, fifth.body.code]).toEqual([400, "INVALID_INPUT"]);
});
