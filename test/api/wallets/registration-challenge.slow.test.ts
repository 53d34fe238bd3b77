import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPasskey } from "../../../src/crypto/software-authenticator.ts";
import { DURATIONS } from "../../../src/domain/core/durations.ts";
import {
  requireUnusedChallenge,
  useChallenge,
} from "../../../src/domain/wallets/registration-challenges.ts";
import { RuleWorld, START_MS } from "../../domain/setup/rule-world.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { expectRefused } from "../setup/refused.ts";
import { MAGIC_SIGNATURE, PASSKEY_BODY, WalletClient } from "./setup/wallet-client.ts";

const USED = {
  status: 400,
  code: "INVALID_INPUT",
  reason: "CHALLENGE_USED",
  field: "challenge",
};

let world: TestSimulator;

const open = async () => {
  world = await startTestSimulator();
};

const create = ({ accountId }: WalletClient, body: object) =>
  world.call("POST", "/auth/credentials", { accountId, ...body });

const somebody = () => WalletClient.create(world);

const attested = async (challenge: string) => {
  const { attestation } = await createPasskey({
    challenge,
    rpId: "localhost",
    origin: "http://localhost:3000",
    algorithm: "ES256",
  });
  return { type: "PASSKEY", nickname: "Laptop", challenge, attestation };
};

describe("a registration challenge", () => {
  beforeEach(open);

  afterEach(async () => {
    await world.sim.close();
    expect(world.alarms).toEqual([]);
  });

  test.each([
    { what: "verified", make: () => attested("c2luZ2xlLXVzZQ") },
    { what: "taken as it is", make: async () => PASSKEY_BODY },
  ])("registers one passkey, $what, and not a second one", async ({ make }) => {
    const body = await make();
    expect((await create(await somebody(), body)).status).toBe(201);
    const second = await create(await somebody(), body);
    expectRefused(second, USED);
    expect(second.body.details).toMatchObject({
      value: body.challenge,
      usedAt: "2026-01-05T09:00:00.000Z",
    });
    expect((await create(await somebody(), await attested("b3RoZXI"))).status).toBe(201);
  });

  test("is not used up by a refused registration or a first call", async () => {
    const wallet = await somebody();
    const body = await attested("c2luZ2xlLXVzZQ");
    const wrong = { ...body, challenge: "b3RoZXI" };
    expect((await create(wallet, wrong)).status).toBe(400);
    await wallet.addEmail();
    const asked = await create(wallet, body);
    expect((await create(wallet, body)).status).toBe(202);
    const retry = {
      body: { accountId: wallet.accountId, ...body },
      signature: MAGIC_SIGNATURE,
      requestId: asked.body.requestId,
    };
    expect((await create(await somebody(), await attested("b3RoZXI"))).status).toBe(201);
    expect((await wallet.signed("POST", "/auth/credentials", retry)).status).toBe(201);
    expectRefused(await create(await somebody(), body), USED);
  });

  test("used between the two calls of another registration makes its retry fail", async () => {
    const wallet = await somebody();
    await wallet.addEmail();
    const asked = await create(wallet, PASSKEY_BODY);
    expect((await create(await somebody(), PASSKEY_BODY)).status).toBe(201);
    const retry = {
      body: { accountId: wallet.accountId, ...PASSKEY_BODY },
      signature: MAGIC_SIGNATURE,
      requestId: asked.body.requestId,
    };
    expectRefused(await wallet.signed("POST", "/auth/credentials", retry), USED);
  });

  test("stays used when its passkey is revoked, also in base64url", async () => {
    const wallet = await somebody();
    const text = "words to sign";
    const body = await attested(text);
    const { id } = (await create(wallet, body)).body;
    await wallet.addOauth();
    expect((await wallet.retried("DELETE", `/auth/credentials/${id}`)).status).toBe(204);
    expectRefused(await create(wallet, body), USED);
    const bytes = Buffer.from(text).toString("base64url");
    expectRefused(await create(await somebody(), { ...body, challenge: bytes }), USED);
    const other = await attested(Buffer.from("other words").toString("base64url"));
    expect((await create(await somebody(), other)).status).toBe(201);
    const asText = { ...other, challenge: "other words" };
    expectRefused(await create(await somebody(), asText), USED);
  });

  test("is used for 24 hours from the 201, and forgotten at that instant", async () => {
    expect((await create(await somebody(), PASSKEY_BODY)).status).toBe(201);
    await world.sim.advance("23h59m59s999ms");
    expectRefused(await create(await somebody(), PASSKEY_BODY), USED);
    await world.sim.advance("1ms");
    expect((await create(await somebody(), PASSKEY_BODY)).status).toBe(201);
    expectRefused(await create(await somebody(), PASSKEY_BODY), USED);
  });
});

test("a used challenge is kept with the state", async () => {
  const directory = new StateDirectory();
  world = await startTestSimulator({ storage: directory.url });
  await create(await somebody(), PASSKEY_BODY);
  await world.sim.close();
  world = await reopen(directory);
  expectRefused(await create(await somebody(), PASSKEY_BODY), USED);
  await world.sim.close();
  directory.remove();
});

describe("used challenges are forgotten", () => {
  const kept = (world: RuleWorld) => world.state.ids("UsedChallenge", "all", "").length;

  test("when they are a day old, a few with each new one", () => {
    const rules = new RuleWorld();
    for (let n = 0; n < 10; n += 1)
      rules.run(
        (draft, challenge: string, moment) => useChallenge(draft, challenge, moment),
        `${n}`,
      );
    expect(kept(rules)).toBe(10);
    rules.atMs = START_MS + 86_400_000;
    rules.run((draft, challenge: string, moment) => useChallenge(draft, challenge, moment), "new");
    expect(kept(rules)).toBe(3);
    expect(DURATIONS.registrationChallengeKeptMs).toBe(86_400_000);
  });

  test("when there are more than 100,000 of them, the oldest first", () => {
    const rules = new RuleWorld();
    rules.run((draft, _input, moment) => {
      useChallenge(draft, "oldest", moment);
      for (let n = 1; n < 100_000; n += 1)
        draft.put("UsedChallenge", {
          id: moment.newId("UsedChallenge"),
          digest: `${n}`,
          usedAtMs: moment.atMs,
        });
    }, undefined);
    rules.run((draft, _input, moment) => useChallenge(draft, "newest", moment), undefined);
    expect(kept(rules)).toBeLessThanOrEqual(100_000);
    rules.run((view, _input, moment) => requireUnusedChallenge(view, "oldest", moment), undefined);
    expect(() =>
      rules.run(
        (view, _input, moment) => requireUnusedChallenge(view, "newest", moment),
        undefined,
      ),
    ).toThrow("CHALLENGE_USED");
  });
});
