import { describe, expect, test } from "vitest";
import { encodeLine, type RequestLine } from "../../src/capsules/capsule-lines.ts";
import { digestOfChange } from "../../src/capsules/change-digests.ts";
import { readCapsule } from "../../src/capsules/read-capsule.ts";
import type { MailRecord } from "../../src/domain/records/wallet-records.ts";
import { redactJson } from "../../src/http/log/redaction.ts";
import { Replay } from "../../src/replay/replay.ts";
import type { Change } from "../../src/runtime/change.ts";
import { clientKeys, openedSession } from "../api/wallets/setup/wallet-client.ts";
import { KINDS, type Kind, type Sent } from "./setup/proof-kinds.ts";
import { recordWorld, replayed, valuesIn } from "./setup/recorded-world.ts";

const recordKind = async ({ run, options = {} }: Kind, withSecrets = false) => {
  let sent: Sent = { values: [], statuses: [] };
  const text = await recordWorld({ ...options, withSecrets }, async (world) => {
    sent = await run(world);
  });
  return { text, ...sent };
};

const linesOf = (text: string) =>
  readCapsule(text, "run.capsule").lines.filter(
    (line): line is RequestLine => line.t === "request",
  );

const factsIn = (text: string) => linesOf(text).flatMap(({ facts = [] }) => facts);

/** The capsule with some of its lines changed. */
const changed = (text: string, change: (line: RequestLine) => object) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => encodeLine(change(JSON.parse(line.slice(line.indexOf("{"))))))
    .join("");

// spec/capsules.md#facts
describe.each(KINDS)("$says", (kind) => {
  test("have placeholders, and each check its verdict", async () => {
    const { text, values, statuses } = await recordKind(kind);
    expect(statuses).toEqual(kind.statuses);
    expect(valuesIn(text, values)).toEqual([]);
    expect(factsIn(text).map(({ of }) => of)).toEqual(kind.asks);
    expect((await replayed(text)).divergence).toBeUndefined();
  });
});

// spec/capsules.md#secrets
test.each(KINDS.filter(({ options }) => options?.codes !== "random"))(
  "$says are in the file with withSecrets, and checked again",
  async (kind) => {
    const { text, values, statuses } = await recordKind(kind, true);
    expect(statuses).toEqual(kind.statuses);
    expect(valuesIn(text, values)).toEqual(values);
    expect(factsIn(text)).toEqual([]);
    expect((await replayed(text)).divergence).toBeUndefined();
  },
);

const named = (says: string) => KINDS.find((kind) => kind.says === says) as Kind;

// spec/capsules.md#facts
test("a fact that was changed in the file is the verdict of its check", async () => {
  const { text } = await recordKind(named("one-time codes"));
  const accepted = changed(text, (line) =>
    line.facts?.[0]?.is === false ? { ...line, facts: [{ of: "one-time code", is: true }] } : line,
  );
  expect((await replayed(accepted)).divergence).toMatchObject({
    where: "status",
    recorded: "401",
    found: "200",
  });
});

test("without its facts the placeholder of a proof is refused, at its request", async () => {
  const { text } = await recordKind(named("ID tokens"));
  const without = changed(text, ({ facts: _facts, ...line }) => line);
  expect((await replayed(without)).divergence).toMatchObject({
    where: "status",
    recorded: "201",
    found: "400",
    asks: expect.stringMatching(/^POST \/2025-10-13\/auth\/credentials$/),
  });
});

test("with withSecrets a signature that was changed in the file is refused", async () => {
  const { text, values } = await recordKind(named("wallet signatures"), true);
  const [, , , stamp] = values;
  const other = changed(text, (line) => ({
    ...line,
    ...(line.headers && {
      headers: line.headers.map(([name, value]) => [name, value === stamp ? values[0] : value]),
    }),
  }));
  expect((await replayed(other)).divergence).toMatchObject({ recorded: "200", found: "401" });
});

test("equal values have equal placeholders, and others have others", async () => {
  const { text } = await recordKind(named("one-time codes"));
  const given = linesOf(text)
    .filter(({ facts }) => facts !== undefined)
    .map(({ body = "" }) => JSON.parse(atob(body)).otp);
  const after = linesOf(text)
    .filter(({ url }) => url.endsWith("/verify"))
    .map(({ body = "" }) => JSON.parse(atob(body)).otp);
  expect(after).toHaveLength(3);
  expect(after[1]).toBe(after[2]);
  expect(given[0]).not.toBe(given[1]);
  for (const otp of after) expect(otp).toMatch(/^[A-Z0-9]{12}$/);
});

// spec/capsules.md#reading
test("a capsule of version 1 has its proofs as they were sent, which are checked again", async () => {
  const { text } = await recordKind(named("wallet signatures"), true);
  const isCompared = (line: string) => !line.includes('"t":"change"');
  let count = 0;
  const older = changed(text.split("\n").filter(isCompared).join("\n"), (line) => {
    if ("capsule" in line) return { ...line, capsule: 1, secrets: "placeholders" };
    if ("end" in line) return { ...line, end: count };
    count += 1;
    const { body } = line.reply ?? {};
    const reply = body === undefined ? line.reply : { ...line.reply, body: redactJson(body).text };
    return { ...line, n: count, ...(reply && { reply }) };
  });
  expect(await replayed(older)).toEqual({ requests: linesOf(text).length });
});

test("changes of a capsule of version 1 are compared with all their texts", () => {
  const change: Change = {
    ...{ v: 5, seq: 1, at: 1_767_603_600_000, cause: "req-1-1", by: "createDocument", n: 1 },
    put: [
      [
        "Mail",
        {
          ...{ id: "Mail:1", to: "ada@example.com", subject: "Your sign-in code" },
          ...{ code: "123456", text: "123456 signs you in" },
          ...{ credentialId: "AuthMethod:1", expiresAtMs: 1, createdAtMs: 0, updatedAtMs: 0 },
        },
      ],
    ],
  };
  const [[kind, mail]] = change.put as [["Mail", MailRecord]];
  const other: Change = { ...change, put: [[kind, { ...mail, code: "654321", text: "654321" }]] };
  expect(digestOfChange(other)).toEqual(digestOfChange(change));
  expect(digestOfChange(other, { version: 1 })).not.toEqual(digestOfChange(change, { version: 1 }));
});

// spec/capsules.md#stopping-before-a-request
test("a world that continues takes real proofs again", async () => {
  const { text } = await recordKind(named("one-time codes"));
  const last = linesOf(text).at(-1) as RequestLine;
  const replay = await Replay.open(readCapsule(text, "run.capsule"));
  try {
    await replay.run(last.id);
    const { sim } = replay;
    const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
    const { pathname } = new URL(last.url);
    const challenge = pathname.replace("/verify", "/challenge");
    const post = async (path: string, body: object) => {
      const asked = {
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization, "content-type": "application/json" },
      };
      return sim.fetch(new Request(new URL(path, sim.apiUrl), asked));
    };
    expect((await post(challenge, {})).status).toBe(200);
    const inbox = await sim.fetch(
      new Request(`${sim.controlUrl}/inbox`, {
        headers: { authorization: `Bearer ${sim.controlToken}` },
      }),
    );
    const otp = (await inbox.json()).data[0].code;
    const keys = clientKeys();
    const signedIn = await post(pathname, {
      type: "EMAIL_OTP",
      otp,
      clientPublicKey: keys.publicKey,
    });
    expect((await openedSession(await signedIn.json(), keys)).id).toMatch(/^Session:/);
  } finally {
    await replay.sim.close();
  }
});
