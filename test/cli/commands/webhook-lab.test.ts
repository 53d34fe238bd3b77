import { createHash, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatRotated } from "../../../src/cli/commands/keys/rotate.ts";
import { formatDoctor } from "../../../src/cli/commands/webhooks/doctor.ts";
import { formatWebhooks } from "../../../src/cli/commands/webhooks/list.ts";
import { formatVector } from "../../../src/cli/commands/webhooks/vector.ts";
import type { Webhook } from "../../../src/contract/control/webhooks.ts";
import { EVENT_TYPES, eventSince } from "../../../src/contract/webhooks/events.ts";
import { documentOf, type RunningCli } from "../../setup/cli.ts";
import { readIdentityFile } from "../../setup/identity-file.ts";
import { CHECKS, VerifyingReceiver } from "../../setup/verifying-receiver.ts";
import { styleOn } from "../setup/styles.ts";
import { Workbench } from "../setup/workbench.ts";

let place: Workbench;
let simulator: RunningCli;
let receiver: VerifyingReceiver;

beforeAll(async () => {
  place = new Workbench();
  receiver = await new VerifyingReceiver().start();
  const options = "--clock manual --now 2026-01-05T09:00:00Z --seed 7 --storage file:state";
  simulator = await place.start(`${options} --webhook-endpoint ${receiver.url}`, {
    env: { SERVICE_SIM_STORAGE: "file:state" },
  });
  receiver.publicPem = (await simulator.control("GET", "/webhooks/key")).body;
});

beforeEach(() => {
  receiver.check = CHECKS.right;
  receiver.answer = undefined;
  receiver.judged.length = 0;
});

afterAll(async () => {
  await place.close();
  await receiver.stop();
});

/** A command with this test's simulator. */
const run = (words: string | readonly string[]) =>
  place.run(words, { env: { SERVICE_SIM_STORAGE: "file:state" } });

const codeOf = async (words: string | readonly string[]) => (await run(words)).code;

describe("trigger", () => {
  test("sends one and exits 0; 1 when it is not taken", async () => {
    expect(await run("webhooks trigger card.state_change")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ 200 {2}.* Webhook:.* {2}card\.state_change, attempt 1\n$/),
      stderr: "",
    });
    receiver.answer = 500;
    expect(await codeOf("webhooks trigger card.state_change")).toBe(1);
    expect(receiver.judged).toHaveLength(2);
  });

  test.each(["CARD.STATE", "outgoing_payment.completed", "TESTS"])(
    "exits 2 for %s, which is no type, and sends nothing",
    async (type) => {
      const { code, stderr } = await run(`webhooks trigger ${type}`);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`no event type "${type}"`),
      });
      expect(receiver.judged).toEqual([]);
    },
  );

  test("names every type of its world when asked for none", async () => {
    const { code, stdout } = await run("webhooks trigger");
    expect({ code, types: stdout.trim().split("\n") }).toEqual({
      code: 0,
      types: EVENT_TYPES.filter((type) => eventSince(type) === undefined),
    });
  });

  test("sets members, as often as it is told", async () => {
    const words = ["webhooks", "trigger", "OUTGOING_PAYMENT.COMPLETED"];
    const set = ["--set", "data.sentAmount.amount=4242", "--set", "data.description=a b=c"];
    expect(await codeOf([...words, ...set])).toBe(0);
    expect(receiver.events[0].data).toMatchObject({
      sentAmount: { amount: 4242 },
      description: "a b=c",
    });
  });

  test("exits 2 for a member that its type does not publish so", async () => {
    const words = "webhooks trigger OUTGOING_PAYMENT.COMPLETED --set data.status=NO --json";
    const ended = await run(words);
    expect(ended.code).toBe(2);
    expect(documentOf(ended).error.message).toMatch(
      /^Expected one of PENDING, .* in data\.status of OUTGOING_PAYMENT\.COMPLETED but found "NO"/,
    );
  });

  test("sends the bytes of a file, also where they are no text", async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d, 0x0a]);
    writeFileSync(place.file("body.bin"), bytes);
    const ended = await run("webhooks trigger TEST --raw body.bin --json");
    expect(ended.code).toBe(0);
    expect(receiver.judged).toMatchObject([{ body: bytes, verifies: true }]);
    const { id } = documentOf(ended);
    expect((await run(`webhooks show ${id}`)).code).toBe(0);
  });

  test.each([
    ["webhooks trigger TEST --raw none.json", "cannot read none.json: no such file"],
    ["webhooks trigger TEST --raw body.bin --set data.a=1", "use only one of --set and --raw"],
  ])("%s exits 2", async (words, says) => {
    expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  });
});

describe("vector", () => {
  test.each(["wrong-key", "tampered-body", "duplicate", "reordered", "delayed", "dropped"])(
    "%s exits 0 with a receiver that does as it must",
    async (vector) => {
      expect(await codeOf(`webhooks vector ${vector}`)).toBe(0);
    },
  );

  test("exits 1 with a receiver that takes anything, and says so", async () => {
    receiver.check = CHECKS.never;
    expect(await run("webhooks vector wrong-key")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("the receiver accepted it: the signature is not checked"),
    });
  });

  test("exits 2 for one that there is not, and for a span that is none", async () => {
    expect(await codeOf("webhooks vector wrong")).toBe(2);
    expect(await codeOf("webhooks vector delayed --after soon")).toBe(2);
    expect(await codeOf("webhooks vector duplicate --type NONE")).toBe(2);
  });

  test("without a name tells what there is", async () => {
    const { code, stdout } = await run("webhooks vector");
    expect({ code, rows: stdout.trim().split("\n").length }).toEqual({ code: 0, rows: 7 });
  });
});

describe("doctor", () => {
  const der = (body: Buffer, key: string) =>
    sign("sha256", body, createPrivateKey(key)).toString("base64");
  let key: string;
  let body: Buffer;
  let header: string;

  beforeAll(async () => {
    key = readIdentityFile(place.file("state", "worlds", "sandbox", "identity.json")).webhookKeyPem;
  });

  beforeEach(async () => {
    await run("webhooks trigger CUSTOMER.KYC_APPROVED");
    ({ body, header } = receiver.judged[0] as { body: Buffer; header: string });
  });

  const doctor = (got: Buffer, value = header, ...more: string[]) => {
    writeFileSync(place.file("got.json"), got);
    return run(["webhooks", "doctor", "--body", "got.json", "--header", value, ...more]);
  };

  test("exits 0 for what verifies", async () => {
    const { code, stdout } = await doctor(body);
    expect({ code, lines: stdout.trim().split("\n") }).toEqual({
      code: 0,
      lines: [
        "✓ header  base64, DER, r and s in range",
        expect.stringMatching(/^✓ key {5}[0-9a-f]{8}, the current one$/),
        `✓ body    ${body.length} bytes, as signed`,
      ],
    });
  });

  test("takes the header as it is copied, with its name", async () => {
    expect((await doctor(body, `X-Service-Signature: ${header} `)).code).toBe(0);
  });

  test("exits 1 for each usual mistake, and names it", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const foreign = sign("sha256", body, privateKey).toString("base64");
    const raw = sign("sha256", body, { key: createPrivateKey(key), dsaEncoding: "ieee-p1363" });
    const pretty = Buffer.from(JSON.stringify(JSON.parse(body.toString("utf8")), null, 2));
    const cases: [string, Buffer, string][] = [
      ["BODY_RESERIALISED", pretty, header],
      ["TRAILING_NEWLINE", Buffer.concat([body, Buffer.from("\n")]), header],
      ["WRONG_KEY", body, foreign],
      ["RAW_SIGNATURE", body, raw.toString("base64")],
      ["JSON_WRAPPER", body, JSON.stringify({ v: "1", s: header })],
      ["DOUBLE_HASH", body, der(createHash("sha256").update(body).digest(), key)],
      ["TRUNCATED_BASE64", body, header.slice(0, 64)],
      ["BODY_CHANGED", Buffer.from(body.toString("utf8").replace("APPROVED", "REJECTED")), header],
    ];
    for (const [code, got, value] of cases) {
      const ended = await doctor(got, value, "--json");
      const { ok, diagnosis } = documentOf(ended);
      expect({ exit: ended.code, ok, code: diagnosis.code }).toEqual({ exit: 1, ok: false, code });
    }
  });

  test("says how to compare what differs from what was sent", async () => {
    const { stdout } = await doctor(Buffer.concat([body, Buffer.from("\n")]));
    const { id } = JSON.parse(body.toString("utf8"));
    expect(stdout).toContain(`webhooks show ${id} --body | diff - got.json`);
  });

  test("with a key of one's own says when that is the wrong one, and needs no simulator", async () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(place.file("theirs.pem"), publicKey.export({ type: "spki", format: "pem" }));
    const wrong = await doctor(body, header, "--key", "theirs.pem", "--json");
    expect(documentOf(wrong).diagnosis).toMatchObject({
      code: "WRONG_KEY",
      message: expect.stringContaining("the current signing key"),
    });
    writeFileSync(place.file("ours.pem"), await pem0());
    const alone = await place.run(
      ["webhooks", "doctor", "--body", "got.json", "--header", header, "--key", "ours.pem"],
      { env: { SERVICE_SIM_STORAGE: "file:nowhere" } },
    );
    expect(alone.code).toBe(0);
  });

  const pem0 = async () => (await run("webhooks key")).stdout;

  test.each([
    "webhooks doctor --header MEUC",
    "webhooks doctor --body got.json",
    "webhooks doctor --body none.json --header MEUC",
    "webhooks doctor --body got.json --header MEUC --key none.pem",
    "webhooks doctor --body got.json --header MEUC --key got.json",
  ])("%s exits 2", async (words) => {
    expect(await codeOf(words)).toBe(2);
  });

  test("without a simulator exits 3", async () => {
    const words = "webhooks doctor --body got.json --header MEUC";
    const { code } = await place.run(words, { env: { SERVICE_SIM_STORAGE: "file:nowhere" } });
    expect(code).toBe(3);
  });

  test("alone looks at the receiver", async () => {
    expect(await codeOf("webhooks doctor")).toBe(0);
    receiver.check = CHECKS.indents;
    expect(await run("webhooks doctor")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("next     hash the raw bytes of the request"),
    });
  });
});

describe("resend", () => {
  test("of a range sends each of it, oldest first", async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1)
      ids.push(documentOf(await run("webhooks trigger TEST --json")).id as string);
    receiver.judged.length = 0;
    const range = `${ids[0]?.slice(-6)}..${ids[2]?.slice(-6)}`;
    const ended = await run(`webhooks resend ${range}`);
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("3 of 3 webhooks accepted"),
    });
    expect(receiver.events.map(({ id }) => id)).toEqual(ids);
    const two = await run(`webhooks resend …${ids[1]?.slice(-6)}..${ids[2]} --json`);
    expect(documentOf(two)).toMatchObject({ count: 2, accepted: 2 });
  });

  test("--failed sends what nobody took, until it is taken", async () => {
    receiver.answer = 500;
    await run("webhooks trigger TEST");
    await run("webhooks vector wrong-key");
    const vain = await run("webhooks resend --failed --json");
    const { count, accepted } = documentOf(vain);
    expect(vain.code).toBe(1);
    expect(accepted).toBe(0);
    receiver.answer = undefined;
    const ended = await run("webhooks resend --failed --json");
    expect({ code: ended.code, document: documentOf(ended) }).toMatchObject({
      code: 0,
      document: { count, accepted: count },
    });
    expect((await run("webhooks resend --failed")).stdout).toBe("- nothing to redeliver\n");
  });

  test.each(["webhooks resend", "webhooks resend 0c41d8 --failed"])("%s exits 2", async (words) => {
    expect(await codeOf(words)).toBe(2);
  });
});

test("keys rotate shows in key, env, status and the instance file", async () => {
  const env = async () => documentOf(await run("env --json")).SERVICE_SIM_WEBHOOK_PUBLIC_KEY;
  const before = await env();
  const ended = await run("keys rotate --json");
  const { current, retired } = documentOf(ended);
  expect({ code: ended.code, retired: retired[0].publicKey }).toEqual({ code: 0, retired: before });
  expect((await run("webhooks key")).stdout).toBe(current.publicKey);
  expect(await env()).toBe(current.publicKey);
  expect(place.readJson("state", "instance.json").webhookPublicKey).toBe(current.publicKey);
  expect((await run("status")).stdout).toContain(`signed with key ${current.fingerprint}`);
  receiver.publicPem = current.publicKey;
  expect(await codeOf("webhooks vector old-key")).toBe(0);
});

describe("what they print", () => {
  const id = "Webhook:019b8d68-27a0-7000-8000-c12f910c41d8";
  const item: Webhook = {
    id,
    type: "TEST",
    status: 401,
    state: "GIVEN_UP",
    attempt: 1,
    createdAt: "2026-01-05T09:00:00.000Z",
    sentAt: "2026-01-05T09:00:00.000Z",
    tookMs: 3,
  };

  test.each([
    [{ lab: "wrong-key" }, "✓ 401, wrong-key on purpose"],
    [{ lab: "tampered-body", status: 200 }, "✗ 200, tampered-body on purpose"],
    [{ lab: "old-key", status: null, error: "ECONNREFUSED" }, "✗ ECONNREFUSED, old-key on purpose"],
    [{ lab: "dropped", status: null, state: "DROPPED", attempt: 0 }, "- dropped, never sent"],
    [{ lab: "triggered", status: 200, state: "ACCEPTED" }, "✓ 200, triggered"],
  ] as const)("list: %j is %s", async (differs, result) => {
    const [, row] = formatWebhooks(
      { data: [{ ...item, ...differs }], hasMore: false },
      { line: "service-sim webhooks list", isFiltered: false },
      await styleOn(true),
    );
    expect(row).toBe(`09:00:00  …0c41d8  TEST  ${result}`);
  });

  test("vector, doctor, rotate", async () => {
    const style = await styleOn(true);
    const verdict = { ok: true, says: "rejected it" };
    const reply = {
      vector: "wrong-key",
      what: "signed wrongly",
      expects: "refuse",
      ok: true,
    } as const;
    expect(formatVector({ ...reply, deliveries: [{ ...item, verdict }] }, style)).toEqual([
      "wrong-key: signed wrongly",
      "  ✓ 401  the receiver rejected it  TEST  Webhook:…0c41d8",
    ]);
    const checks = [
      { check: "header", ok: true, expected: "", found: "fine" },
      { check: "key", ok: false, expected: "", found: "another" },
    ];
    const diagnosis = { code: "WRONG_KEY", message: "another", fix: "take the right one" };
    expect(formatDoctor({ ok: false, checks, diagnosis }, ["and so on"], style)).toEqual([
      "✓ header  fine",
      "✗ key     another",
      "next     take the right one",
      "         and so on",
    ]);
    const shown = (fingerprint: string) => ({ fingerprint, publicKey: "" });
    expect(formatRotated({ current: shown("bb"), retired: [shown("aa")] }, style)).toEqual([
      "✓ webhooks are now signed with key bb, no longer with aa",
    ]);
  });
});
