import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentOf, type RunningCli } from "../../setup/cli.ts";
import { Workbench } from "../setup/workbench.ts";

let place: Workbench;
let simulator: RunningCli;

beforeAll(async () => {
  place = new Workbench();
  simulator = await place.start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
});

afterAll(() => place.close());

test("with no calls there is nothing to record", async () => {
  const ended = await place.run("scenario record none.json");
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("the request log is empty: there is nothing to record");
});

test("what was done by hand runs again from the file, and secrets are not in it", async () => {
  const { body: ada } = await simulator.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    currencies: ["USD", "USDB"],
    email: "ada@shop.example",
  });
  const wallets = `/customers/internal-accounts?customerId=${ada.id}&currency=USDB`;
  const wallet = (await simulator.call("GET", wallets)).body.data[0];
  const credential = await simulator.call("POST", "/auth/credentials", {
    type: "EMAIL_OTP",
    accountId: wallet.id,
  });
  const { code } = (await simulator.control("GET", "/inbox")).body.data[0];
  const pair = documentOf(await place.run("keys create --json"));
  const session = await simulator.call("POST", `/auth/credentials/${credential.body.id}/verify`, {
    type: "EMAIL_OTP",
    otp: code,
    clientPublicKey: pair.publicKey,
  });
  expect(session.status).toBe(200);
  await simulator.control("POST", "/clock/advance", { by: "6m" });
  await simulator.call("GET", `/customers/${ada.id}`);
  const ended = await place.run("scenario record mine.json --json");
  expect(documentOf(ended)).toEqual({ file: "mine.json", steps: 6, notes: [] });
  const text = readFileSync(place.file("mine.json"), "utf8");
  expect(JSON.parse(text).steps[4]).toEqual({ advance: "6m" });
  for (const secret of [code, session.body.encryptedSessionSigningKey, ada.id])
    expect(text).not.toContain(secret);
  const again = await place.run("run ./mine.json --json");
  expect(documentOf(again)).toMatchObject({ ok: true, stepCount: 6 });
});

test("a file that exists is kept, unless --force is given", async () => {
  writeFileSync(place.file("kept.json"), "mine");
  const ended = await place.run("scenario record kept.json");
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("kept.json already exists");
  expect(readFileSync(place.file("kept.json"), "utf8")).toBe("mine");
  expect((await place.run("scenario record kept.json --force --last 1")).code).toBe(0);
  expect(place.readJson("kept.json").steps).toHaveLength(1);
});

test.each(["0", "x", "10001"])("--last %s is refused", async (last) => {
  const ended = await place.run(`scenario record other.json --last ${last}`);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain(
    `Expected --last to be a number from 1 to 10000 but found "${last}"`,
  );
});
