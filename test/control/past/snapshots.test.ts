import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const save = (name: string) => world.control("PUT", `/snapshots/${name}`);
const restore = (name: string, body?: object) =>
  world.control("POST", `/snapshots/${name}/restore`, body);
const customers = async (of = world) => (await of.call("GET", "/customers")).body.totalCount;

test("a snapshot is saved, listed, loaded and removed", async () => {
  await createPayer(world);
  const { status, body } = await save("paid");
  expect(status).toBe(201);
  expect(body).toEqual({
    name: "paid",
    records: expect.any(Number),
    now: "2026-01-05T09:00:00.000Z",
  });
  expect((await world.control("GET", "/snapshots")).body).toEqual({ data: [body] });
  await world.sim.advance("1h");
  await createPayer(world);
  expect(await customers()).toBe(2);
  expect((await restore("paid")).body).toEqual({ ...body, mode: "manual" });
  expect(await customers()).toBe(1);
  expect((await world.control("DELETE", "/snapshots/paid")).status).toBe(204);
  expect((await world.control("GET", "/snapshots")).body).toEqual({ data: [] });
});

test("a name that is taken again is the newer state", async () => {
  await save("s");
  await createPayer(world);
  await save("s");
  await world.control("POST", "/reset");
  await restore("s");
  expect(await customers()).toBe(1);
});

test("a snapshot does not see what the world does later, nor the world what it did", async () => {
  const { customerId } = await createPayer(world);
  await save("s");
  const path = `/customers/${customerId}`;
  for (const name of ["B", "C"]) {
    await world.call("PATCH", path, { customerType: "INDIVIDUAL", fullName: name });
    await restore("s");
    expect((await world.call("GET", path)).body.fullName).toBeUndefined();
  }
});

test("keepClock keeps the present instant, and what fell due meanwhile fires", async () => {
  await save("s");
  await world.sim.advance("2h");
  expect((await restore("s", { keepClock: true })).body.now).toBe("2026-01-05T11:00:00.000Z");
});

test("no id is given twice, however often a snapshot is loaded", async () => {
  await save("s");
  const ids: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    ids.push((await createPayer(world)).customerId);
    await restore("s");
  }
  expect(new Set(ids).size).toBe(3);
});

test("an unknown name is 404 with the closest", async () => {
  await save("paid-1");
  for (const answer of [
    await restore("paid1"),
    await world.control("DELETE", "/snapshots/paid1"),
    await world.control("GET", "/snapshots/paid1/export"),
    await world.control("GET", "/diff?from=snapshot:paid1"),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      code: "SNAPSHOT_NOT_FOUND",
      message: 'No snapshot "paid1"; the closest one is paid-1',
      details: { closest: "paid-1" },
    });
  }
});

test.each(["A", "-a", "a b", ".a", "x".repeat(65), "ä"])("%s is not a name", async (name) => {
  const { status, body } = await save(encodeURIComponent(name));
  expect({ status, code: body.error.code }).toEqual({ status: 400, code: "NAME_MALFORMED" });
});

test("a fork of the world keeps its credentials when it loads a snapshot", async () => {
  await world.control("POST", "/worlds", { name: "x" });
  await world.control("PUT", "/snapshots/s?world=x");
  expect((await world.control("POST", "/snapshots/s/restore?world=x")).status).toBe(200);
  const authorization = `Basic ${btoa(`${world.sim.clientId}+x:${world.sim.clientSecret}`)}`;
  const { status, body } = await world.raw("GET", "/tokens", { headers: { authorization } });
  expect(status).toBe(200);
  expect(body.data.map(({ clientId }: { clientId: string }) => clientId)).toEqual(["sandbox"]);
});

describe("files", () => {
  const exported = async (name = "s"): Promise<string> => {
    await save(name);
    return (await world.control("GET", `/snapshots/${name}/export`)).body;
  };
  const importText = (file: string, to = world) =>
    to.control("POST", "/snapshots/import", { file });

  test("another simulator takes a snapshot in, with its own credentials", async () => {
    const { customerId } = await createPayer(world);
    await world.sim.advance("1h");
    const file = await exported("paid");
    const other = await startTestSimulator({ seed: "other" });
    onTestFinished(() => other.sim.close());
    expect((await importText(file, other)).body).toMatchObject({
      name: "paid",
      now: "2026-01-05T10:00:00.000Z",
    });
    expect(await customers(other)).toBe(0);
    await other.control("POST", "/snapshots/paid/restore");
    expect((await other.call("GET", `/customers/${customerId}`)).status).toBe(200);
    const { body: ledger } = await world.control("GET", "/ledger");
    expect((await other.control("GET", "/ledger")).body).toMatchObject({ totals: ledger.totals });
    const { body: why } = await world.control("GET", `/why/${customerId}`);
    expect((await other.control("GET", `/why/${customerId}`)).body.steps).toEqual(why.steps);
  });

  test("seed and settings of its starts stay its own: a reset and a restart find them", async () => {
    const source = await startTestSimulator({ webhookEndpoint: "http://127.0.0.1:9/hooks" });
    onTestFinished(() => source.sim.close());
    await source.control("PUT", "/snapshots/s");
    const { body: file } = await source.control("GET", "/snapshots/s/export");
    const folder = mkdtempSync(join(tmpdir(), "service-sim-snapshot-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const options = { seed: "other", storage: `file:${folder}` };
    const other = await startTestSimulator(options);
    const shown = async (of: TestSimulator) => {
      const { seed, webhooks } = (await of.control("GET", "/status")).body;
      return { seed, endpoint: webhooks.endpoint };
    };
    expect(await shown(other)).toEqual({ seed: "other", endpoint: undefined });
    await importText(file, other);
    await other.control("POST", "/snapshots/s/restore");
    expect(await shown(other)).toEqual({ seed: "other", endpoint: "http://127.0.0.1:9/hooks" });
    await other.sim.close();
    const again = await startTestSimulator(options);
    onTestFinished(() => again.sim.close());
    expect((await shown(again)).seed).toBe("other");
    await again.control("POST", "/reset");
    expect(await shown(again)).toEqual({ seed: "other", endpoint: undefined });
  });

  test("ids stay unique when a file of a later branch is loaded again", async () => {
    const file = await exported();
    await restore("s");
    const later = await createPayer(world);
    const again = await exported("t");
    const other = await startTestSimulator();
    onTestFinished(() => other.sim.close());
    await importText(again, other);
    await other.control("POST", "/snapshots/t/restore");
    expect((await createPayer(other)).customerId).not.toBe(later.customerId);
    expect(file).not.toBe(again);
  });

  test("a file holds no secret of the simulator", async () => {
    const file = await exported();
    const { createHash } = await import("node:crypto");
    expect(file).not.toContain(world.sim.clientSecret);
    expect(file).not.toContain(createHash("sha256").update(world.sim.clientSecret).digest("hex"));
    expect(file).not.toContain("PRIVATE KEY");
  });

  test("a file that is cut is refused with the line after which it is", async () => {
    const lines = (await exported()).split("\n").slice(0, -1);
    const before = await world.control("GET", "/snapshots");
    for (const count of [1, 5, lines.length - 1]) {
      const { status, body } = await importText(`${lines.slice(0, count).join("\n")}\n`);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: "SNAPSHOT_FILE" });
      expect(body.error.message).toContain(`the file is cut after line ${count}`);
    }
    const half = lines.slice(0, 3).join("\n");
    expect((await importText(half.slice(0, -4))).status).toBe(400);
    expect((await world.control("GET", "/snapshots")).body).toEqual(before.body);
  });

  const lineOf = (body: object) => {
    const json = JSON.stringify(body);
    return `${crc32(json).toString(16).padStart(8, "0")} ${Buffer.byteLength(json)} ${json}`;
  };

  test("a file of a newer version is refused, naming both", async () => {
    const [head = "", ...rest] = (await exported()).split("\n");
    const newer = { ...JSON.parse(head.slice(head.indexOf("{"))), snapshot: 2, program: "9.9.9" };
    const { body } = await importText([lineOf(newer), ...rest].join("\n"));
    expect(body.error.message).toBe(
      "Expected a snapshot of version 1.5 but found 2.5, written by service-sim 9.9.9; nothing changed",
    );
  });

  test("a file with a changed character is refused, wherever it is", async () => {
    const file = await exported();
    const steps = Math.ceil(file.length / 40);
    for (let at = 3; at < file.length - 1; at += steps) {
      const swapped = file[at] === "7" ? "8" : "7";
      const { status, body } = await importText(file.slice(0, at) + swapped + file.slice(at + 1));
      expect({ at, status, code: body.error?.code }).toMatchObject({
        status: 400,
        code: "SNAPSHOT_FILE",
      });
    }
  });

  test.each(["", "{}", "hello\n"])("%j is not a snapshot", async (file) => {
    expect((await importText(file)).body.error.code).toBe("SNAPSHOT_FILE");
  });
});
