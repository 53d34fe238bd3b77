import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Journal } from "../../../src/runtime/journal.ts";
import { uploadFiles } from "../../../src/storage/file/state/key-files.ts";
import { memoryFiles } from "../../../src/storage/port/session.ts";
import { FileStore } from "../../../src/storage/world/file-store.ts";
import { fixtureOf, named, request, seed, the } from "../../control/seed/setup/seeding.ts";
import { openEngine } from "../../runtime/setup/test-engine.ts";
import { until } from "../../runtime/setup/turns.ts";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { PDF, PNG, pdfOf, postDocument, putDocument } from "../../setup/uploads.ts";
import { reopen } from "../setup/reopen.ts";
import { StateDirectory } from "../setup/state-directory.ts";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

const nameOf = (bytes: Uint8Array) => `${hash("sha256", bytes, "hex")}.bin`;

const kept = () => {
  const folder = directory.file("files");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

const keptAre = (...files: Uint8Array[]) => {
  const names = files.map(nameOf).sort();
  return until(`${names.length} files`, () => JSON.stringify(kept()) === JSON.stringify(names));
};

describe("the bytes of documents", () => {
  let world: TestSimulator;
  let holder: string;

  beforeEach(async () => {
    world = await startTestSimulator({ storage: directory.url });
    holder = (await createPayer(world, 0)).customerId;
  });

  afterEach(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  });

  const create = async (bytes = PDF) => (await postDocument(world, holder, { bytes })).body.id;
  const drop = (id: string) => world.call("DELETE", `/documents/${id}`);

  test("are there, under their hash, when the document is", async () => {
    const bytes = pdfOf(100_000);
    await create(bytes);
    expect(kept()).toEqual([nameOf(bytes)]);
    expect(readFileSync(directory.file(`files/${nameOf(bytes)}`)).equals(bytes)).toBe(true);
  });

  test("that are damaged are stored again when they are brought again", async () => {
    await create();
    const file = directory.file(`files/${nameOf(PDF)}`);
    writeFileSync(file, "");
    await create();
    expect(readFileSync(file).equals(PDF)).toBe(true);
  });

  test("are kept once for two documents, until the last one is gone", async () => {
    const [one, two] = [await create(), await create()];
    await create(PNG);
    expect(kept()).toEqual([PDF, PNG].map(nameOf).sort());
    await drop(one);
    await drop(await create(pdfOf(6)));
    await keptAre(PDF, PNG);
    await drop(two);
    await keptAre(PNG);
  });

  test("go with the file that takes their place", async () => {
    const id = await create();
    await putDocument(world, id, { bytes: PNG });
    await keptAre(PNG);
    await putDocument(world, id, { bytes: PNG, fileName: "other.png" });
    await keptAre(PNG);
  });

  test("of a document that is refused are not stored", async () => {
    await postDocument(world, holder, { fileName: "id-201.pdf" });
    await postDocument(world, "Customer:none", {});
    expect(kept()).toEqual([]);
  });

  test("outlast a restart, and go once no rewind reaches them", async () => {
    const id = await create();
    await world.sim.close();
    world = await reopen(directory);
    await keptAre(PDF);
    expect((await world.call("GET", `/documents/${id}`)).body).toMatchObject({ id });
    await create();
    await drop(id);
    await drop((await world.call("GET", "/documents")).body.data[0].id);
    await drop(await create(PNG));
    await keptAre(PDF);
    await world.sim.close();
    world = await reopen(directory);
    await drop(await create(PNG));
    await keptAre();
  });

  test("of nobody, which a kill may leave, go with the next sweep", async () => {
    await create();
    await world.sim.close();
    await uploadFiles(directory.path, { fsync: false }).setItemRaw("orphan", Buffer.from("x"));
    world = await reopen(directory);
    await create(PNG);
    await keptAre(PDF, PNG);
  });

  test("go with the snapshot of the state that a reset ended", async () => {
    await create();
    await world.control("POST", "/reset");
    expect((await world.call("GET", "/documents")).body.totalCount).toBe(0);
    const holder = (await createPayer(world, 0)).customerId;
    const png = await postDocument(world, holder, { bytes: PNG });
    await drop(png.body.id);
    await keptAre(PDF);
    await world.control("DELETE", "/snapshots/before-reset");
    await drop((await postDocument(world, holder, { bytes: PNG })).body.id);
    await keptAre();
  });

  test("stay when a fixture that lets them go fails", async () => {
    const id = await create();
    const fixture = fixtureOf(
      named("list", request("GET", "/documents")),
      request("DELETE", `/documents/${the("list.data.0.id")}`, { expect: 204 }),
      request("GET", "/documents/none"),
    );
    expect((await seed(world, fixture)).status).toBe(400);
    // Any sweep that was due is over when the next one is.
    await drop(await create(PNG));
    await keptAre(PDF);
    expect((await world.call("GET", `/documents/${id}`)).status).toBe(200);
  });

  test("go when a fixture that lets them go succeeds", async () => {
    await create();
    const fixture = fixtureOf(
      named("list", request("GET", "/documents")),
      request("DELETE", `/documents/${the("list.data.0.id")}`, { expect: 204 }),
    );
    expect((await seed(world, fixture)).status).toBe(200);
    await keptAre();
  });

  test("are all there however many come and go at once", async () => {
    const files = Array.from({ length: 40 }, (_, at) => pdfOf(5 + (at % 4)));
    const ids = await Promise.all(files.map(create));
    const gone = ids.filter((_, at) => at % 4 < 2);
    await Promise.all([...gone.map(drop), ...files.slice(0, 8).map(create)]);
    const { body } = await world.call("GET", "/documents?limit=100");
    expect(body.totalCount).toBe(28);
    await keptAre(...files.slice(0, 4));
    for (const { id } of body.data) await drop(id);
    await keptAre();
  });
});

test("in memory documents come and go as well", async () => {
  const world = await startTestSimulator();
  onTestFinished(() => world.sim.close());
  const { customerId } = await createPayer(world, 0);
  const { body } = await postDocument(world, customerId);
  expect((await world.call("DELETE", `/documents/${body.id}`)).status).toBe(204);
  expect(kept()).toEqual([]);
});

describe("storage that fails", () => {
  test("answers 503, and nothing names what is not there", async () => {
    const { engine } = openEngine();
    const storage = memoryFiles();
    vi.spyOn(storage, "put").mockRejectedValue(new Error("ENOSPC"));
    const work = vi.fn();
    await expect(new FileStore(storage, engine).keepFor(PDF, work)).rejects.toMatchObject({
      name: "JournalFailure",
      message: "storage failed: ENOSPC",
    });
    expect(work).not.toHaveBeenCalled();
  });

  test("a file that cannot be taken away stays, and the next one is tried", async () => {
    const { engine } = openEngine();
    const storage = memoryFiles();
    const files = new FileStore(storage, engine);
    const remove = vi.spyOn(storage, "remove").mockRejectedValueOnce(new Error("EIO"));
    const refused = () => {
      throw new Error("refused");
    };
    await expect(files.keepFor(PDF, refused)).rejects.toThrow("refused");
    await until("a try", () => remove.mock.calls.length === 1);
    expect(await storage.list()).toHaveLength(1);
    await expect(files.keepFor(PDF, refused)).rejects.toThrow("refused");
    await until("none", async () => (await storage.list()).length === 0);
  });
});

describe("a sweep", () => {
  const opened = () => {
    const { engine, journal } = openEngine();
    const storage = memoryFiles();
    return { engine, journal, storage, files: new FileStore(storage, engine) };
  };

  const refused = () => {
    throw new Error("refused");
  };

  test("waits for callers that may name a file", async () => {
    const { storage, files } = opened();
    const release = await files.hold();
    await expect(files.keepFor(PDF, refused)).rejects.toThrow("refused");
    const remove = vi.spyOn(storage, "remove");
    for (let turns = 0; turns < 20; turns += 1)
      await new Promise<void>((done) => setImmediate(done));
    expect(remove).not.toHaveBeenCalled();
    release();
    await until("none", async () => (await storage.list()).length === 0);
  });

  test("takes nothing away before the change that let it go is durable", async () => {
    const { journal, storage, files } = opened();
    let write = () => {};
    const reached = vi.spyOn(journal as Journal, "reached").mockReturnValue(
      new Promise<void>((resolve) => {
        write = resolve;
      }),
    );
    await expect(files.keepFor(PDF, refused)).rejects.toThrow("refused");
    await until("it to wait", () => reached.mock.calls.length > 0);
    expect(await storage.list()).toHaveLength(1);
    write();
    await until("none", async () => (await storage.list()).length === 0);
  });

  test("takes nothing away when that change was lost", async () => {
    const { journal, storage, files } = opened();
    const reached = vi.spyOn(journal as Journal, "reached");
    reached.mockReturnValueOnce(Promise.reject(new Error("lost")));
    await expect(files.keepFor(PDF, refused)).rejects.toThrow("refused");
    await until("it to wait", () => reached.mock.calls.length > 0);
    await files.close();
    expect(await storage.list()).toHaveLength(1);
  });

  test("ends when the store is closed, which then takes no more files", async () => {
    const { files } = opened();
    await files.close();
    await expect(files.keepFor(PDF, () => 1)).rejects.toThrow("it is closed");
  });
});
