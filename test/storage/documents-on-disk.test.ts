import { hash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RestorePoints } from "../../src/runtime/past/restore-points.ts";
import { JournalFailure } from "../../src/runtime/ports.ts";
import { worldFolderOf } from "../../src/storage/file/state/world-files.ts";
import type { OpenWorld } from "../../src/storage/open-world.ts";
import type { OtherWorlds } from "../../src/storage/world/world-handle.ts";
import { turns } from "../runtime/setup/random-world.ts";
import { abandon, CAUSE, directoryFor, openDisk } from "./setup/disk-world.ts";

const birthOf = (name: string) => ({ name, clientId: `sandbox+${name}` });

const othersOf = ({ others }: OpenWorld) => others as OtherWorlds;

const opened = async (world: OpenWorld, name: string) =>
  (await othersOf(world).open(name)) as OpenWorld;

const documentOf = (sha256: string) => ({
  id: `Document:${sha256.slice(0, 8)}`,
  documentHolder: "Customer:1",
  documentType: "PASSPORT" as const,
  country: "US",
  fileName: "a.pdf",
  file: { sha256, mediaType: "application/pdf" as const, sizeBytes: 4 },
  createdAtMs: 1,
  updatedAtMs: 1,
});

/** Uploads a document; its hash. */
const upload = ({ engine, files }: OpenWorld, text: string) =>
  files.keepFor(Buffer.from(text), (sha256) => {
    engine.commit((draft) => draft.put("Document", documentOf(sha256)), undefined, CAUSE);
    return sha256;
  });

/** Deletes a document; unused files go soon afterwards. */
const drop = async (world: OpenWorld, sha256: string) => {
  world.engine.commit((draft) => draft.del("Document", documentOf(sha256).id), undefined, CAUSE);
  await turns(300);
};

/** Waits until a document is gone. */
const isSwept = async (directory: string, sha256: string) => {
  for (let turn = 0; turn < 2_000 && isStored(directory, sha256); turn += 1) await turns(10);
  await turns(300);
};

const isStored = (directory: string, sha256: string) =>
  existsSync(join(directory, "files", `${sha256}.bin`));

test("a document stays while any world or kept state names it", async () => {
  const directory = directoryFor("worlds-files-");
  const world = await openDisk(directory);
  const a = await upload(world, "shared");
  const fork = await world.fork(birthOf("one"));
  const b = await upload(fork, "of the fork");
  const c = await upload(world, "of the point");
  await (world.points as RestorePoints).save("kept");
  const d = await upload(world, "unused");
  await fork.close();
  for (const sha256 of [a, c, d]) await drop(world, sha256);
  await isSwept(directory, d);
  expect([a, b, c, d].map((one) => isStored(directory, one))).toEqual([true, true, true, false]);
  await (world.points as RestorePoints).remove("kept");
  const e = await upload(world, "another");
  await drop(world, e);
  for (const sha256 of [c, e]) await isSwept(directory, sha256);
  expect([a, b, c, e].map((one) => isStored(directory, one))).toEqual([true, true, false, false]);
  expect(hash("sha256", "shared", "hex")).toBe(a);
  await (await opened(world, "one")).remove?.();
  const last = await upload(world, "last");
  await drop(world, last);
  for (const sha256 of [a, b, last]) await isSwept(directory, sha256);
  expect([a, b].map((one) => isStored(directory, one))).toEqual([false, false]);
  await world.close();
});

test("a document stays for the reset of a fork that was born with it", async () => {
  const directory = directoryFor("worlds-reset-");
  const world = await openDisk(directory);
  const born = await upload(world, "born with it");
  const fork = await world.fork(birthOf("one"));
  for (const one of [fork, world]) await drop(one, born);
  const other = await upload(world, "other");
  await drop(world, other);
  await isSwept(directory, other);
  expect([born, other].map((one) => isStored(directory, one))).toEqual([true, false]);
  await fork.close();
  await world.close();
});

test("a beginning that is removed while it is read is gone, not damaged", async () => {
  const directory = directoryFor("worlds-removed-");
  const world = await openDisk(directory);
  const fork = await world.fork(birthOf("one"));
  const folder = worldFolderOf(directory, "one");
  const reading = fork.stateAtFork?.();
  rmSync(folder, { recursive: true });
  await expect(reading).rejects.toThrow(JournalFailure);
  await abandon(fork, directory);
  await world.close();
});

test("no document is deleted while a world was killed and its list is not known", async () => {
  const directory = directoryFor("worlds-killed-");
  const world = await openDisk(directory);
  const a = await upload(world, "shared");
  const fork = await world.fork(birthOf("one"));
  const b = await upload(fork, "of the fork");
  await abandon(fork, directory);
  await abandon(world, directory);
  const again = await openDisk(directory);
  await drop(again, a);
  expect([a, b].map((one) => isStored(directory, one))).toEqual([true, true]);
  await (await opened(again, "one")).close();
  const c = await upload(again, "c");
  await drop(again, c);
  await isSwept(directory, c);
  expect([a, b, c].map((one) => isStored(directory, one))).toEqual([true, true, false]);
  await again.close();
});
