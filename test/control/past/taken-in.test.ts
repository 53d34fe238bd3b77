import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

const PLACES = ["memory:", "file:"];

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), "service-sim-taken-in-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
};

const opened = async (options: Parameters<typeof startTestSimulator>[0] = {}) => {
  const world = await startTestSimulator(options);
  onTestFinished(() => world.sim.close());
  return world;
};

const exportOf = async (world: TestSimulator): Promise<string> => {
  await world.control("PUT", "/snapshots/s");
  return (await world.control("GET", "/snapshots/s/export")).body;
};

interface Printed {
  clientId: string;
  clientSecret: string;
}

/** Customers as the platform lists them for a pair that a simulator printed. */
const listedFor = async ({ sim }: TestSimulator, { clientId, clientSecret }: Printed) => {
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  const url = `${sim.apiUrl}/customers`;
  const answer = await sim.fetch(new Request(url, { headers: { authorization } }));
  return { status: answer.status, count: (await answer.json()).totalCount };
};

test.each(PLACES)(
  "every pair of a world made from an imported snapshot is taken, on %s",
  async (kind) => {
    const source = await opened({ clientId: "other-platform", clientSecret: "another secret 123" });
    await createPayer(source);
    const file = await exportOf(source);
    const storage = kind === "file:" ? `file:${folder()}` : kind;
    const options = { seed: "target", storage };
    let target = await startTestSimulator(options);
    const make = async (body: object): Promise<Printed> => {
      const { status, body: made } = await target.control("POST", "/worlds", body);
      expect(status).toBe(201);
      return made;
    };
    await target.control("POST", "/snapshots/import", { file, name: "in" });
    const pairs = [
      await make({ name: "a", from: "snapshot:in" }),
      await make({
        name: "b",
        from: "snapshot:in",
        clientId: "own",
        clientSecret: "secret of b 12345",
      }),
      await make({ name: "c", from: "world:a" }),
      await make({ name: "d", from: "world:b" }),
      await make({ name: "e", from: "snapshot:in", clientSecret: "secret of e 12345" }),
    ];
    expect(pairs.map(({ clientId }) => clientId)).toEqual([
      "sandbox+a",
      "own",
      "sandbox+c",
      "own+d",
      "sandbox+e",
    ]);
    for (const pair of pairs)
      expect(await listedFor(target, pair)).toEqual({ status: 200, count: 1 });
    const wrong = { clientId: "sandbox+a", clientSecret: "wrong" };
    expect((await listedFor(target, wrong)).status).toBe(401);
    expect(await listedFor(target, target.sim)).toEqual({ status: 200, count: 0 });
    for (const name of ["a", "b"]) await target.control("POST", `/reset?world=${name}`);
    if (kind === "file:") {
      await target.sim.close();
      target = await startTestSimulator(options);
    }
    for (const pair of pairs)
      expect(await listedFor(target, pair)).toEqual({ status: 200, count: 1 });
    expect(target.alarms).toEqual([]);
    await target.sim.close();
  },
);

test("the default world keeps its pair when it loads an imported snapshot", async () => {
  const source = await opened({ clientId: "other-platform" });
  await createPayer(source);
  const target = await opened();
  await target.control("POST", "/snapshots/import", { file: await exportOf(source) });
  await target.control("POST", "/snapshots/s/restore");
  expect(await listedFor(target, target.sim)).toEqual({ status: 200, count: 1 });
});

const MEMO = "acmeApiFixedFee is serviceApiFixedFee, ACME_SWITCH_ERROR";

/** A world whose records have words of a brand, those that are stored and those that are not. */
const branded = async (brand?: string) => {
  const world = await opened(brand === undefined ? {} : { brand });
  const { status } = await world.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: MEMO,
  });
  expect(status).toBe(201);
  return world;
};

test.each([
  { from: "acme", to: undefined },
  { from: "acme", to: "acme" },
  { from: "acme", to: "other" },
  { from: undefined, to: "acme" },
])(
  "a snapshot of a world with the brand $from is taken in by one with $to",
  async ({ from, to }) => {
    const source = await branded(from);
    const file = await exportOf(source);
    expect(file.includes('"fullName":"acmeApiFixedFee')).toBe(from === undefined);
    const target = await opened({ ...(to !== undefined && { brand: to }) });
    const { status } = await target.control("POST", "/snapshots/import", { file });
    expect(status).toBe(201);
    expect(await exportAgain(target)).toBe(bodyOf(file));
    const { body: made } = await target.control("POST", "/worlds", { from: "snapshot:s" });
    expect(await listedFor(target, made)).toEqual({ status: 200, count: 1 });
    const { settings } = (await target.control("GET", `/status?world=${made.name}`)).body;
    expect(settings.brand?.word).toBe(to);
  },
);

/** Lines between head and end. */
const bodyOf = (file: string) => file.split("\n").slice(1, -2).join("\n");

const exportAgain = async (target: TestSimulator) =>
  bodyOf((await target.control("GET", "/snapshots/s/export")).body);
