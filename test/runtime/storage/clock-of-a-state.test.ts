import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { StateDirectory } from "../setup/state-directory.ts";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

const asVersion = (line: string, version: number) => {
  if (line === "") return line;
  const json = line.slice(line.indexOf("{")).replace(/^\{"v":4/, `{"v":${version}`);
  const checksum = crc32(json).toString(16).padStart(8, "0");
  return `${checksum} ${Buffer.byteLength(json)} ${json}`;
};

/** Gives the records of a journal another version; they are of the same form. */
const rewrite = (version: number) => {
  for (const name of readdirSync(directory.journal)) {
    const file = join(directory.journal, name);
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, lines.map((line) => asVersion(line, version)).join("\n"));
  }
};

test.each(["manual", "real"] as const)("a %s clock of format 3 continues", async (clock) => {
  const first = await startTestSimulator({ storage: directory.url, clock });
  const { body: customer } = await first.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await first.sim.advance("6m");
  const { body: before } = await first.control("GET", "/clock");
  await first.sim.close();
  rewrite(3);
  const second = await startTestSimulator({ storage: directory.url, clock });
  const { body: after } = await second.control("GET", "/clock");
  expect(after.mode).toBe(clock);
  expect(Date.parse(after.now)).toBeGreaterThanOrEqual(Date.parse(before.now));
  expect(after.aheadMs - before.aheadMs).toBeLessThanOrEqual(clock === "real" ? 1 : 0);
  expect((await second.call("GET", `/customers/${customer.id}`)).body).toEqual(customer);
  await second.sim.close();
});

test("a clock at a speed continues after a restart, and an option changes it", async () => {
  const first = await startTestSimulator({ storage: directory.url, clock: "60x" });
  await first.sim.advance("1h");
  await first.sim.close();
  const second = await startTestSimulator({ storage: directory.url, clock: undefined as never });
  expect((await second.control("GET", "/clock")).body).toMatchObject({ mode: "real", speed: 60 });
  await second.sim.close();
  const third = await startTestSimulator({ storage: directory.url, clock: "auto" });
  const { body } = await third.control("GET", "/clock");
  expect(body.mode).toBe("auto");
  expect(Date.parse(body.now)).toBeGreaterThanOrEqual(Date.parse("2026-01-05T10:00:00Z"));
  await third.control("POST", "/reset");
  expect((await third.control("GET", "/clock")).body).toMatchObject({
    mode: "auto",
    now: "2026-01-05T09:00:00.000Z",
  });
  await third.sim.close();
});

test("a journal of a newer format is refused by name", async () => {
  const first = await startTestSimulator({ storage: directory.url });
  await first.sim.close();
  rewrite(5);
  await expect(startTestSimulator({ storage: directory.url })).rejects.toThrow(
    "Expected format version 4 or older but found 5",
  );
});
