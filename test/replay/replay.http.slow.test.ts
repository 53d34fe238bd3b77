import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { encodeLine } from "../../src/capsules/capsule-lines.ts";
import { readCapsule, UnreadableCapsule } from "../../src/capsules/read-capsule.ts";
import { contractNote, Replay } from "../../src/replay/replay.ts";
import { payments, type Run, record } from "../capsules/setup/recorded-run.ts";
import { ALWAYS_REPEATED, isRepeated } from "../setup/repeated.ts";

const replayed = async (text: string, until?: string) => {
  const replay = await Replay.open(readCapsule(text, "run.capsule"));
  onTestFinished(() => replay.sim.close());
  return replay.run(until);
};

interface Line {
  [member: string]: unknown;
}

/** The capsule with some of its lines changed. */
const changed = (text: string, change: (line: Line) => Line) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => encodeLine(change(JSON.parse(line.slice(line.indexOf("{"))))))
    .join("");

const linesOf = (text: string): Line[] => readCapsule(text, "run.capsule").lines as never;

/** Two worlds beside the default one, in turn and at once. */
const worlds = async ({ call, control }: Run) => {
  const users = ["sandbox", "sandbox+a", "sandbox+b"];
  for (const user of users) await call("POST", "/customers", { customerType: "INDIVIDUAL" }, user);
  await Promise.all(
    users.map((user) => call("POST", "/customers", { customerType: "INDIVIDUAL" }, user)),
  );
  await control("POST", "/clock/advance?world=a", { by: "1h" });
  for (const user of users) await call("GET", "/customers", undefined, user);
};

/** A wallet with a sign-in by code, and an agent that is connected. */
const proofs = async ({ call }: Run) => {
  const customer = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const query = `customerId=${customer.id}&type=EMBEDDED_WALLET`;
  const { data } = await call("GET", `/customers/internal-accounts?${query}`);
  const credential = await call("POST", "/auth/credentials", {
    type: "EMAIL_OTP",
    accountId: data[0].id,
    email: "ada@example.com",
  });
  for (const otp of ["123456", "000000"])
    await call("POST", `/auth/credentials/${credential.id}/verify`, {
      type: "EMAIL_OTP",
      otp,
      clientPublicKey:
        "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
    });
  const { deviceCode } = await call("POST", "/agents", {
    name: "Invoice bot",
    customerId: customer.id,
    policy: {
      permissions: ["VIEW_TRANSACTIONS"],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
    },
  });
  await call("POST", `/agents/device-codes/${deviceCode.code}/redeem`);
};

// spec/capsules.md#replay
describe("a run over sockets is repeated without any", () => {
  test.each(["real", "manual"] as const)("payments and receivers, clock %s", async (clock) => {
    const text = await record({ seed: "capsule", clock }, payments);
    expect(await replayed(text)).toEqual({ requests: 27 });
  });

  test("several worlds, and calls at once", async () => {
    const text = await record({ seed: "capsule", worlds: "open" }, worlds);
    expect(await replayed(text)).toEqual({ requests: 10 });
  });

  test("wallets and agents", async () => {
    const text = await record({ seed: "capsule" }, proofs);
    expect(await replayed(text)).toEqual({ requests: 7 });
  });
});

/** A sign-in by code, and both its guesses at once. */
const guesses = async ({ call }: Run) => {
  const customer = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const query = `customerId=${customer.id}&type=EMBEDDED_WALLET`;
  const { data } = await call("GET", `/customers/internal-accounts?${query}`);
  const accountId = data[0].id;
  const email = { type: "EMAIL_OTP", accountId, email: "ada@example.com" };
  const { id } = await call("POST", "/auth/credentials", email);
  const clientPublicKey =
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
  const proof = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
  const path = `/auth/credentials/${id}/verify`;
  await Promise.all([call("POST", path, proof), call("POST", path, proof)]);
};

/** A step by the library between two calls, and a document that is too long. */
const steps = async ({ sim, call }: Run) => {
  await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await sim.advance("90s");
  await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(11 * 1024 * 1024)]), "passport.pdf");
  const authorization = `Basic ${btoa(`sandbox:${sim.clientSecret}`)}`;
  const url = `${sim.apiUrl}/documents`;
  const refused = await sim.fetch(
    new Request(url, { method: "POST", body: form, headers: { authorization } }),
  );
  expect((await refused.json()).message).toMatch(/^The file is over 10485760 bytes/);
};

// spec/capsules.md#replay
describe("also repeated are", () => {
  test("calls at once, of which one is refused after another changed the world", async () => {
    expect(await replayed(await record({ seed: "capsule" }, guesses))).toEqual({ requests: 5 });
  });

  test("tokens of the built-in issuer, whose signatures are others each time", async () => {
    const text = await record({ seed: "capsule" }, async ({ control }) => {
      await control("POST", "/oidc/token", { email: "ada@example.com" });
    });
    expect(await replayed(text)).toEqual({ requests: 1 });
  });

  test("steps of the library, and bodies that were too long to be read", async () => {
    const text = await record({ seed: "capsule", clock: "manual" }, steps);
    expect(text.length).toBeLessThan(100_000);
    expect(await replayed(text)).toEqual({ requests: 3 });
  });
});

// spec/capsules.md#secrets
describe("secrets", () => {
  const secret = "k7Qp-mine-0042-secret";
  const wrong = "Zx81-other-7777-secret";

  const calls = async (run: Run) => {
    await payments(run);
    await fetch(`${run.sim.apiUrl}/config`, {
      headers: { authorization: `Basic ${btoa(`sandbox:${wrong}`)}` },
    });
  };

  test("of a start and of a refused call are not in the file, which repeats all the same", async () => {
    const text = await record({ seed: "capsule", clientSecret: secret }, calls);
    for (const hidden of [secret, wrong, btoa(`sandbox:${secret}`), btoa(`sandbox:${wrong}`)])
      expect(text).not.toContain(hidden);
    const refused = linesOf(text).at(-1) as unknown as { headers: [string, string][] };
    const [, header = ""] = refused.headers.find(([name]) => name === "authorization") ?? [];
    expect(atob(header.slice("Basic ".length))).toHaveLength(`sandbox:${wrong}`.length);
    expect(await replayed(text)).toEqual({ requests: 28 });
  });

  /** Calls with secrets of every kind that is replaced. */
  const planted = {
    world: "k3Q-world-secret-0042",
    token: "mfB2TokenOfAnotherService99",
    query: "qZ7-query-secret-8812",
    path: "aQ7x-device-code-3310",
    member: "hR5-unknown-password-1234",
    cookie: "session=cK9-cookie-value-5521",
  };
  const plantedCalls = async ({ sim, call, control }: Run) => {
    await control("POST", "/worlds", { name: "b", clientId: "bob", clientSecret: planted.world });
    const as = (authorization: string, path: string, init: RequestInit = {}) => {
      const headers = { authorization, cookie: planted.cookie, "content-type": "application/json" };
      return fetch(sim.apiUrl + path, { ...init, headers });
    };
    const body = JSON.stringify({ customerType: "INDIVIDUAL" });
    const made = await as(`Basic ${btoa(`bob:${planted.world}`)}`, "/customers", {
      method: "POST",
      body,
    });
    expect(made.status).toBe(201);
    expect((await as(`Bearer ${planted.token}`, "/customers")).status).toBe(401);
    await call("GET", `/customers?apiKey=${planted.query}`);
    await call("POST", `/agents/device-codes/${planted.path}/redeem`);
    await call("POST", "/customers", { customerType: "INDIVIDUAL", password: planted.member });
  };

  test("of callers are placeholders of the same form, and every check has its verdict", async () => {
    const text = await record({ seed: "capsule" }, plantedCalls);
    const bodies = linesOf(text).map(({ body }) => atob(String(body ?? "")));
    for (const hidden of Object.values(planted)) {
      expect(text).not.toContain(hidden);
      expect(text).not.toContain(btoa(`bob:${hidden}`));
      expect(bodies.join("\n")).not.toContain(hidden);
    }
    const created = bodies.find((one) => one.includes("clientSecret")) ?? "{}";
    expect(JSON.parse(created).clientSecret).toMatch(/^[a-z]\d[A-Z]-[a-z]{5}-[a-z]{6}-\d{4}$/);
    expect(readCapsule(text, "run.capsule").head).toMatchObject({
      secrets: "placeholders",
      keeps: [
        "proofs in fixtures, which are sent again",
        "tokens and device codes made by the simulator, which follow from the seed",
      ],
    });
    expect(await replayed(text)).toEqual({ requests: 6 });
  });

  test("are in it with withSecrets", async () => {
    const text = await record({ seed: "capsule", clientSecret: secret, withSecrets: true }, calls);
    expect(text).toContain(btoa(`sandbox:${wrong}`));
    expect(await replayed(text)).toEqual({ requests: 28 });
  });
});

// spec/capsules.md#differences
describe("the first difference is named at its request", () => {
  const run = (change: (line: Line) => Line) => async () => {
    const text = await record(
      { seed: "capsule", clock: "manual", now: "2026-01-05T09:00:00.000Z" },
      payments,
    );
    return (await replayed(changed(text, change))).divergence;
  };

  test("a status", async () => {
    const status = (line: Line) =>
      line.id === "req-1-4" ? { ...line, reply: { ...(line.reply as object), status: 500 } } : line;
    expect(await run(status)()).toEqual({
      where: "status",
      recorded: "500",
      found: "200",
      request: expect.stringMatching(/^req-1-4 \(entry \d+\)$/),
      asks: expect.stringMatching(/^POST \/2025-10-13\/sandbox\/internal-accounts\/.*\/fund$/),
      instant: "2026-01-05T09:00:00.000Z",
    });
  });

  test("a member of the body, by its JSON pointer", async () => {
    const amount = (line: Line) => {
      if (line.id !== "req-1-4") return line;
      return { ...line, body: Buffer.from('{"amount":999999}').toString("base64") };
    };
    expect(await run(amount)()).toMatchObject({
      where: expect.stringMatching(/^\/.*amount$/),
      recorded: "1000000",
      found: "999999",
      request: expect.stringMatching(/^req-1-4 /),
    });
  });

  test("a header", async () => {
    const header = (line: Line) => {
      if (line.id !== "req-1-2") return line;
      const reply = line.reply as { headers: object };
      return { ...line, reply: { ...reply, headers: { ...reply.headers, "x-more": "1" } } };
    };
    expect(await run(header)()).toMatchObject({
      where: "header x-more",
      recorded: '"1"',
      found: "nothing",
    });
  });

  test("else the first change that is another", async () => {
    const digest = (line: Line) =>
      line.t === "change" && line.by === "executeQuote"
        ? { ...line, digest: "0".repeat(12) }
        : line;
    expect(await run(digest)()).toEqual({
      where: expect.stringMatching(/^change \d+$/),
      recorded: expect.stringMatching(/^executeQuote/),
      found: expect.stringMatching(/^executeQuote/),
    });
  });
});

// spec/capsules.md#reading
describe("a file", () => {
  test("that is cut off is repeated up to its last whole line", async () => {
    const text = await record({ seed: "capsule" }, payments);
    const whole = readCapsule(text, "run.capsule").lines.length;
    const cut = readCapsule(text.slice(0, text.length * 0.6), "run.capsule");
    expect(cut.cutAfter).toBe(cut.lines.length + 1);
    expect(cut.lines.length).toBeLessThan(whole);
    const { divergence, requests } = await replayed(text.slice(0, text.length * 0.6));
    expect(divergence).toBeUndefined();
    expect(requests).toBeGreaterThan(5);
  });

  test.each([
    {
      says: "newer",
      text: encodeLine({ capsule: 3, program: "9.0.0" }),
      error: /version 3, written by service-sim 9\.0\.0/,
    },
    { says: "something else", text: "hello\n", error: /^Expected a capsule but found none in x$/ },
    { says: "empty", text: "", error: /^Expected a capsule but found none in x$/ },
  ])("that is $says is refused", ({ text, error }) => {
    expect(() => readCapsule(text, "x")).toThrow(UnreadableCapsule);
    expect(() => readCapsule(text, "x")).toThrow(error);
  });

  test("of another contract is told to be one", async () => {
    const text = changed(await record({ seed: "capsule" }, proofs), (line) =>
      "capsule" in line ? { ...line, contract: "0000000000000000" } : line,
    );
    expect(contractNote(readCapsule(text, "x"))).toContain("another contract");
  });
});

// spec/capsules.md#stopping-before-a-request
test("until a request: the world stands as it was before it, and answers", async () => {
  const text = await record({ seed: "capsule", now: "2026-01-05T09:00:00.000Z" }, payments);
  const replay = await Replay.open(readCapsule(text, "run.capsule"));
  onTestFinished(() => replay.sim.close());
  expect(await replay.run("req-1-4")).toEqual({ requests: 3, stoppedBefore: "req-1-4" });
  const { url } = await replay.sim.listen({ port: 0 });
  const authorization = `Basic ${btoa(`sandbox:${replay.sim.clientSecret}`)}`;
  const response = await fetch(`${url}/2025-10-13/customers`, { headers: { authorization } });
  expect(response.headers.get("x-sim-request-id")).toBe("req-1-4");
  expect((await response.json()).data).toHaveLength(1);
});

test("files of tests that are repeated in every run are there, and this one is not", () => {
  expect(ALWAYS_REPEATED.filter((file) => !existsSync(file))).toEqual([]);
  expect(ALWAYS_REPEATED.map((file) => isRepeated(resolve(file)))).toEqual([true, true, true]);
  if (process.env.SERVICE_SIM_TEST_REPEATS !== "1") expect(isRepeated()).toBe(false);
});
