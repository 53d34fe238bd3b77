import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AUTO_PORTS, autoPorts, onFirstFree } from "../../src/http/sockets/auto-port.ts";
import { portFolderOf } from "../../src/storage/port-folder.ts";

test("a path decides on the ports, in the same order each time", () => {
  expect(autoPorts("/home/ada/shop/.service-sim").slice(0, 3)).toEqual([22_433, 22_434, 22_435]);
  expect(autoPorts("/home/ada/shop-2/.service-sim").slice(0, 3)).toEqual([20_738, 20_739, 20_740]);
  expect(autoPorts("/home/ada/shop/.service-sim")).toHaveLength(20);
});

test("all of them are below the ports that systems hand out", () => {
  const drawn = Array.from({ length: 5000 }, (_, at) =>
    autoPorts(`/home/ada/tree-${at}/.service-sim`),
  );
  const all = drawn.flat();
  expect(all.reduce((least, one) => Math.min(least, one))).toBeGreaterThanOrEqual(20_000);
  expect(all.reduce((most, one) => Math.max(most, one))).toBeLessThanOrEqual(24_999);
  // 5,000 draws of 4,981 ports meet about 63 % of them.
  expect(new Set(drawn.map(([first]) => first)).size).toBeGreaterThan(2_900);
  expect(AUTO_PORTS).toEqual({ first: 20_000, last: 24_999, tries: 20 });
});

test("the path is the real one: a link to a folder has the folder's port", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "auto-port-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "tree", "state"), { recursive: true });
  symlinkSync(join(root, "tree"), join(root, "link"));
  const state = (directory: string) => ({ kind: "file", directory }) as const;
  expect(portFolderOf(state(join(root, "link", "state")), "/")).toBe(join(root, "tree", "state"));
  expect(portFolderOf({ kind: "memory" }, join(root, "link"))).toBe(
    join(root, "tree", ".service-sim"),
  );
});

const taken = () =>
  new Promise<number>((resolve) => {
    const server = createServer();
    onTestFinished(() => void server.close());
    server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port));
  });

const listening = (port: number) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      onTestFinished(() => void server.close());
      resolve(Object(server.address()).port);
    });
  });

test("a port in use is passed over, and the last one's error is told", async () => {
  const [first, second] = [await taken(), await taken()];
  expect(await onFirstFree([first, second, 0], listening)).toBeGreaterThan(0);
  await expect(onFirstFree([first, second], listening)).rejects.toMatchObject({
    code: "EADDRINUSE",
    port: second,
  });
});
