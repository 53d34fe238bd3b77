import { afterEach, describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { clientKeys, WalletClient } from "./setup/wallet-client.ts";

const worlds: TestSimulator[] = [];

const start = async (options: SimulatorOptions = {}) => {
  const world = await startTestSimulator(options);
  worlds.push(world);
  return world;
};

afterEach(async () => {
  for (const world of worlds.splice(0)) {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  }
});

const KEYS = clientKeys();

const mailed = async ({ control }: TestSimulator): Promise<string> =>
  (await control("GET", "/inbox")).body.data[0].code;

/** A credential that was mailed a code, and signing in with a code. */
const invited = async (world: TestSimulator) => {
  const wallet = await WalletClient.create(world);
  const id = await wallet.addEmail("ada@example.com");
  const signIn = async (otp: string) => {
    const body = { type: "EMAIL_OTP", otp, clientPublicKey: KEYS.publicKey };
    return world.call("POST", `/auth/credentials/${id}/verify`, body);
  };
  return { id, signIn };
};

const codeWith = async (options: SimulatorOptions) => {
  const world = await start(options);
  const { id } = await invited(world);
  return { world, id, code: await mailed(world) };
};

// spec/inbox.md#code-choice
describe("fixed codes, which are the default", () => {
  test("repeat with the seed, and 000000 signs in too", async () => {
    const [first, second] = [await codeWith({}), await codeWith({ codes: "fixed" })];
    expect(first.code).toMatch(/^[0-9]{6}$/);
    expect(second.code).toBe(first.code);
    const { signIn } = await invited(await start());
    expect((await signIn("000000")).status).toBe(200);
  });
});

describe("random codes", () => {
  test("are others in every world of one seed, and change no id", async () => {
    const fixed = await codeWith({});
    const random = [await codeWith({ codes: "random" }), await codeWith({ codes: "random" })];
    const codes = [fixed, ...random].map(({ code }) => code);
    // Three equal codes among these are one case in a million.
    expect(new Set(codes).size).toBeGreaterThan(1);
    expect(random.map(({ id }) => id)).toEqual([fixed.id, fixed.id]);
    expect((await random[0]?.world.control("GET", "/status"))?.body.settings.codes).toBe("random");
  });

  test("are the only ones: 000000 is refused as in production", async () => {
    const world = await start({ codes: "random" });
    const { signIn } = await invited(world);
    const refused = await signIn("000000");
    expect([refused.status, refused.body.reason]).toEqual([401, "Invalid OTP code"]);
    expect(refused.body.details.check).toBe("--codes random accepts only the newest emailed code");
    expect((await signIn(await mailed(world))).status).toBe(200);
  });
});

describe("codes of the caller's choice", () => {
  test.each(["4242", "123456", "000000", "123456789012"])("%s is in every mail", async (codes) => {
    const world = await start({ codes });
    const { signIn } = await invited(world);
    const { body } = await world.control("GET", "/inbox");
    expect(body.data[0]).toMatchObject({
      code: codes,
      text: `${codes} signs you in to service-sim. It is valid for 5m.`,
    });
    expect((await signIn(codes)).status).toBe(200);
    expect((await world.control("GET", "/status")).body.settings.codes).toBe(codes);
  });
});

describe("PUT /_sim/inbox/codes", () => {
  test("counts for the codes that are sent from then on", async () => {
    const world = await start();
    const { id, signIn } = await invited(world);
    const before = await mailed(world);
    const { status, body } = await world.control("PUT", "/inbox/codes", { codes: "4711" });
    expect([status, body]).toEqual([200, { codes: "4711" }]);
    expect(await mailed(world)).toBe(before);
    await world.call("POST", `/auth/credentials/${id}/challenge`);
    expect(await mailed(world)).toBe("4711");
    expect((await signIn("4711")).status).toBe(200);
    expect((await world.control("PUT", "/inbox/codes", { codes: "random" })).body).toEqual({
      codes: "random",
    });
  });

  test.each(["", "123", "1234567890123", "12a4", "Fixed", 4242, undefined])(
    "%j is 400",
    async (codes) => {
      const world = await start();
      const { status, body } = await world.control("PUT", "/inbox/codes", { codes });
      expect([status, body.error.code]).toEqual([400, "INVALID_INPUT"]);
    },
  );

  test("may stand in a fixture", async () => {
    const body = { codes: "4711" };
    const steps = [{ request: { method: "PUT", path: "/_sim/inbox/codes", body } }];
    const world = await start({ fixture: { name: "codes", steps } });
    await invited(world);
    expect(await mailed(world)).toBe("4711");
  });
});
