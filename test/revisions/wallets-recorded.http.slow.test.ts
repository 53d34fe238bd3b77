import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { capturedCall } from "../../src/cli/tasks/captured-call.ts";
import { sendInProcess } from "../../src/scripts/in-process-send.ts";
import { readCutJson, recordedScenario } from "../../src/scripts/record-scenario.ts";
import { ScriptRun } from "../../src/scripts/script-run.ts";
import { WalletClient } from "../api/wallets/setup/wallet-client.ts";
import { runInProcess } from "../cli/setup/in-process.ts";
import { START, startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const LATER = "2026-08";

const folder = mkdtempSync(join(tmpdir(), "recorded-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = async (seed: string): Promise<TestSimulator> => {
  const world = await startTestSimulator({ revision: LATER, seed });
  onTestFinished(() => world.sim.close());
  return world;
};

/** An owner who mistypes a code, sends it again after the next one, signs in and signs. */
const signInByHand = async (world: TestSimulator): Promise<readonly string[]> => {
  const wallet = await WalletClient.create(world, { email: "ada@example.com" });
  const { body } = await world.call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
  const { id } = body.data[0];
  const path = `/auth/credentials/${id}/verify`;
  const wrong = await wallet.sealedCode(id, { otp: "482913" });
  expect((await world.call("POST", path, wrong)).status).toBe(401);
  await world.call("POST", `/auth/credentials/${id}/challenge`);
  expect((await world.call("POST", path, wrong)).status).toBe(401);
  const none = { type: "EMAIL_OTP", encryptedOtpBundle: "no bundle at all" };
  expect((await world.call("POST", path, none)).status).toBe(400);
  const session = await wallet.signIn(id);
  const change = { body: { privateEnabled: true }, session };
  const changed = await wallet.retried("PATCH", `/internal-accounts/${wallet.accountId}`, change);
  expect(changed.status).toBe(200);
  return [wallet.accountId, wrong.encryptedOtpBundle, session.id];
};

interface Made {
  name?: string;
  request?: { method: string; path: string; headers?: object };
  expect?: { status: number };
  sealCode?: { bundle: string; code: string; publicKey: string };
  keyPair?: object;
}

/** All that the steps of a sign-in do, one line each. */
const told = (steps: readonly Made[]) =>
  steps.slice(3).map(({ request, expect: wanted, sealCode, keyPair }) => {
    if (keyPair) return "key pair";
    if (sealCode) return `seal ${sealCode.code} ${sealCode.bundle}`;
    const last = request?.path.split("/").at(-1);
    return `${last} ${wanted?.status}${request?.headers ? " signed" : ""}`;
  });

const TOLD = [
  "challenge 200",
  "key pair",
  "seal 999999 ${credential.otpEncryptionTargetBundle}",
  "verify 401",
  "challenge 200",
  "seal 000000 ${credential.otpEncryptionTargetBundle}",
  "verify 401",
  "verify 400",
  "challenge 200",
  "seal 000000 ${credential2.otpEncryptionTargetBundle}",
  "verify 202",
  "verify 200 signed",
  "${customerInternalAccounts.data.0.id} 202",
  "${customerInternalAccounts.data.0.id} 200 signed",
];

// spec/scenarios.md#recording
test("sign-ins with sealed codes run again in another world", { timeout: 60_000 }, async () => {
  const world = await start("hand");
  const { url } = await world.sim.listen();
  const secrets = await signInByHand(world);
  const file = join(folder, "sign-in.json");
  const ended = await runInProcess(["scenario", "record", file, "--url", url, "--json"]);
  expect(JSON.parse(ended.stdout)).toMatchObject({ notes: [] });
  const text = readFileSync(file, "utf8");
  expect(secrets.filter((secret) => text.includes(JSON.stringify(secret)))).toEqual([]);
  expect(told(JSON.parse(text).steps)).toEqual(TOLD);

  const other = await start("other");
  const { url: there } = await other.sim.listen();
  const again = await runInProcess(["run", file, "--url", there, "--json"]);
  expect({ code: again.code, ...JSON.parse(again.stdout) }).toMatchObject({ code: 0, ok: true });
});

/** A world whose calls of the platform are kept as a proxy in front of it sees them. */
const captured = (world: TestSimulator) => {
  const calls: ReturnType<typeof capturedCall>["call"][] = [];
  const raw: TestSimulator["raw"] = async (method, path, init = {}) => {
    const answer = await world.raw(method, path, init);
    const [place = "", query = ""] = path.split("?");
    const exchanged = {
      ...{ at: new Date(START), method, path: place, query, status: answer.status },
      requestText: typeof init.body === "string" ? init.body : "",
      responseText: JSON.stringify(answer.body),
    };
    calls.push(capturedCall(exchanged, { id: `call-${calls.length}`, brand: undefined }).call);
    return answer;
  };
  const call: TestSimulator["call"] = (method, path, body) =>
    raw(method, path, {
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
  return { calls, seen: { ...world, raw, call } };
};

// spec/scenarios.md#capture
test("sign-ins that went through a proxy run again in another world", async () => {
  const { calls, seen } = captured(await start("hosted"));
  await signInByHand(seen);
  const done = { name: "captured", calls, now: START, clock: "awaited" as const };
  const { scenario, notes } = recordedScenario(done, await readCutJson());
  expect(notes).toEqual([]);
  expect(told(scenario.steps as Made[])).toEqual(TOLD);

  const run = new ScriptRun(sendInProcess((await start("other")).sim));
  const differences = [];
  for (const [at, step] of scenario.steps.entries())
    differences.push(...(await run.outcomeOf(step, ["steps", at])).differences);
  run.end();
  expect(differences).toEqual([]);
});

test("a code whose challenge was not recorded is named", async () => {
  const { calls, seen } = captured(await start("late"));
  await signInByHand(seen);
  const at = calls.findIndex(({ status, path }) => status === 202 && path.endsWith("/verify"));
  const done = { name: "late", calls: calls.slice(at, at + 1), now: START };
  const { notes } = recordedScenario({ ...done, clock: "manual" }, await readCutJson());
  expect(notes).toEqual([`call-${at}: encryptedOtpBundle was a secret; write it into the file`]);
});
