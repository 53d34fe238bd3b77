import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { createToken } from "../../setup/tokens.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  await world.sim.close();
});

const diff = async (from: string, to?: string) =>
  (await world.control("GET", `/diff?from=${from}${to === undefined ? "" : `&to=${to}`}`)).body;

test("records added, removed and changed field by field; balances; webhooks", async () => {
  const payer = await createPayer(world);
  await world.control("PUT", "/snapshots/s");
  await world.sim.advance("1m");
  const path = `/sandbox/internal-accounts/${payer.accountId}/fund`;
  await world.call("POST", path, { amount: 5 });
  await world.call("PATCH", `/customers/${payer.customerId}`, {
    customerType: "INDIVIDUAL",
    fullName: "Ada",
  });
  const { body: other } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const found = await diff("snapshot:s");
  expect(found.from).toMatchObject({ ref: "snapshot:s", at: "2026-01-05T09:00:00.000Z" });
  expect(found.to).toMatchObject({ ref: "now", at: "2026-01-05T09:01:00.000Z" });
  const changeOf = (id: string) => found.records.find((one: { id: string }) => one.id === id);
  expect(changeOf(payer.customerId)).toEqual({
    kind: "Customer",
    id: payer.customerId,
    change: "changed",
    fields: [
      { field: "updatedAtMs", from: 1_767_603_600_000, to: 1_767_603_660_000 },
      { field: "fullName", to: "Ada" },
    ],
  });
  expect(changeOf(other.id)).toMatchObject({ kind: "Customer", change: "added" });
  expect(found.balances).toContainEqual({
    account: payer.accountId,
    currency: "USD",
    from: 1_000_000,
    to: 1_000_005,
  });
  expect(found.webhooks.map(({ change }: { change: string }) => change)).toEqual(
    found.webhooks.map(() => "added"),
  );
  const back = await diff("now", "snapshot:s");
  expect(back.records.find((one: { id: string }) => one.id === other.id).change).toBe("removed");
});

test("an instant of the past, and the world by its name", async () => {
  await world.sim.advance("1m");
  await createPayer(world);
  await world.sim.advance("1m");
  const found = await diff("2026-01-05T09:00:30Z", "world:sandbox");
  expect(found.counts.records).toBeGreaterThan(0);
  expect((await diff("2026-01-05T09:01:30Z")).counts.records).toBe(0);
});

test("no secret is shown", async () => {
  await world.control("PUT", "/snapshots/s");
  const token = await createToken(world, ["VIEW"]);
  const found = await diff("snapshot:s");
  const [row] = found.records.filter(({ kind }: { kind: string }) => kind === "ApiToken");
  expect(row.fields).toContainEqual({ field: "secretHash", to: "[redacted]" });
  expect(JSON.stringify(found)).not.toContain(token.clientSecret);
});

test.each([
  { from: "world:nope", code: "WORLD_NOT_FOUND", status: 404 },
  { from: "2026-01-05T08:00:00Z", code: "BEFORE_HORIZON", status: 400 },
  { from: "2027-01-05T08:00:00Z", code: "TIME_AHEAD", status: 400 },
  { from: "paid", code: "INVALID_INSTANT", status: 400 },
])("$from is refused with $code", async ({ from, code, status }) => {
  const answer = await world.control("GET", `/diff?from=${from}`);
  expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status, code });
});

test("a bare name is answered with the way to write it", async () => {
  await world.control("PUT", "/snapshots/saved");
  const next = async (from: string) =>
    (await world.control("GET", `/diff?from=${from}`)).body.error.next;
  expect(await next("saved")).toEqual(["write snapshot:saved"]);
  expect(await next("sandbox")).toEqual(["write world:sandbox"]);
  expect(await next("paid")).toEqual(["service-sim clock      shows the current time"]);
});
