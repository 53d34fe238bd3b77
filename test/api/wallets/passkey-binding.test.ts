import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Change, encodeChange } from "../../../src/runtime/change.ts";
import { AT, overwritten, resigned } from "../../crypto/setup/passkey-rework.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { PasskeyClient } from "./setup/passkey-client.ts";
import { expectUnauthorized } from "./setup/unauthorized.ts";
import { WalletClient } from "./setup/wallet-client.ts";

const EVIL = { rpId: "evil.example", origin: "https://evil.example" };

const refused = (check: RegExp) => ({ reason: "Invalid passkey signature", check });

const OTHER_PARTY = refused(
  /^authenticatorData.rpIdHash is not the one the passkey was registered/,
);

describe("a passkey", () => {
  const world = worldPerTest();

  let wallet: WalletClient;

  beforeEach(async () => {
    wallet = await WalletClient.create(world(), { email: "ada@example.com" });
  });

  const sessions = async () => {
    const { body } = await world().call("GET", `/auth/sessions?accountId=${wallet.accountId}`);
    return body.data.length;
  };

  // spec/passkeys.md#relying-party
  test("gives no session to another relying party that holds its key", async () => {
    const client = await PasskeyClient.register(wallet);
    expectUnauthorized(await client.signIn(EVIL), OTHER_PARTY);
    expect(await sessions()).toBe(0);
    expect((await client.signIn()).status).toBe(200);
    expectUnauthorized(await client.signIn(EVIL), OTHER_PARTY);
    expect(await sessions()).toBe(1);
  });

  // spec/passkeys.md#origin
  test("of an app works in that app alone", async () => {
    const android = "android:apk-key-hash:cGtn";
    const client = await PasskeyClient.register(wallet, { origin: android });
    expect((await client.signIn()).status).toBe(200);
    for (const origin of ["https://wallet.example", "android:apk-key-hash:b3RoZXI"])
      expectUnauthorized(
        await client.signIn({ origin }),
        refused(/^clientDataJson.origin is not android:apk-key-hash:cGtn, as it was at/),
      );
    expectUnauthorized(await client.signIn({ rpId: "evil.example" }), OTHER_PARTY);
  });

  test("ignores party, origin and counter of the magic assertion, and keeps its own", async () => {
    const client = await PasskeyClient.register(wallet);
    expect((await client.signIn()).status).toBe(200);
    const evil = { ...client.passkey, ...EVIL, counter: 0 };
    client.passkey = evil;
    const asked = await client.challenge();
    const magic = { signature: "sandbox-valid-passkey-signature" };
    const assertion = { ...client.assertion(asked.challenge), ...magic };
    expect((await client.verify(assertion, asked.requestId)).status).toBe(200);
    client.passkey = { ...evil, rpId: "wallet.example", origin: "https://wallet.example" };
    expectUnauthorized(await client.signIn(), refused(/signCount is 1, not above the last one, 1/));
    expect((await client.signIn()).status).toBe(200);
  });

  test("signs in once for each counter value, even in concurrent calls", async () => {
    const client = await PasskeyClient.register(wallet);
    const before = client.passkey;
    const [one, two] = [await client.challenge(), await client.challenge()];
    const first = client.assertion(one.challenge);
    client.passkey = before;
    const second = client.assertion(two.challenge);
    const answers = await Promise.all([
      client.verify(first, one.requestId),
      client.verify(second, two.requestId),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    for (const answer of answers)
      if (answer.status === 401)
        expectUnauthorized(answer, refused(/signCount is 1, not above the last one, 1$/));
    expect(await sessions()).toBe(1);
  });

  test("without a counter always sends 0, and signs in again and again", async () => {
    const client = await PasskeyClient.register(wallet);
    for (let n = 0; n < 2; n += 1) {
      const asked = await client.challenge();
      const assertion = resigned(client.passkey, client.assertion(asked.challenge), {
        authData: overwritten(AT.counter, 0, 0, 0, 0),
      });
      expect((await client.verify(assertion, asked.requestId)).status).toBe(200);
    }
  });
});

describe("a passkey stored by an earlier version", () => {
  let directory: StateDirectory;
  let world: TestSimulator;

  beforeEach(() => {
    directory = new StateDirectory();
  });

  afterEach(async () => {
    await world.sim.close();
    directory.remove();
    expect(world.alarms).toEqual([]);
  });

  /** Rewrites the journal to its form before relying parties were stored. */
  const forgetParties = () => {
    for (const name of directory.segments()) {
      const lines = readFileSync(directory.segment(name), "utf8").split("\n").filter(Boolean);
      const changes = lines.map((line) => JSON.parse(line.slice(line.indexOf("{"))) as Change);
      for (const { put = [] } of changes)
        for (const [kind, record] of put)
          if (kind === "AuthMethod") delete record.passkey?.verified?.rpIdHash;
      directory.write(name, changes.map(encodeChange).join(""));
    }
  };

  test("is bound to the party of the first assertion that verifies, for good", async () => {
    world = await startTestSimulator({ storage: directory.url });
    const wallet = await WalletClient.create(world, { email: "ada@example.com" });
    const kept = await PasskeyClient.register(wallet);
    await world.sim.close();
    forgetParties();
    world = await reopen(directory);
    const client = kept.on(wallet.on(world));
    expectUnauthorized(
      await client.signIn({ origin: "ios:bundle-id:example.wallet" }),
      refused(/^clientDataJson.origin is not a page's/),
    );
    expect((await client.signIn()).status).toBe(200);
    expectUnauthorized(await client.signIn(EVIL), OTHER_PARTY);
    await world.sim.close();
    world = await reopen(directory);
    expectUnauthorized(await client.on(wallet.on(world)).signIn(EVIL), OTHER_PARTY);
  });

  test("is bound to one of two parties that sign in at the same time", async () => {
    world = await startTestSimulator({ storage: directory.url });
    const wallet = await WalletClient.create(world, { email: "ada@example.com" });
    const kept = await PasskeyClient.register(wallet);
    await world.sim.close();
    forgetParties();
    world = await reopen(directory);
    const client = kept.on(wallet.on(world));
    const answers = await Promise.all([client.signIn(), client.signIn({ ...EVIL, counter: 5 })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});
