import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeFolders } from "../../../../src/machine/make-folders.ts";
import { createSimulator } from "../../../../src/simulator.ts";
import { makeStateDirectory } from "../../../../src/storage/file/state/state-folder.ts";
import { parseStorageUrl } from "../../../../src/storage/world/storage-url.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "state-folder-"));
});

afterEach(() => rmSync(root, { recursive: true }));

describe("a folder is made", () => {
  test("with those above it, and the outermost is named", () => {
    expect(makeFolders(join(root, "a", "b", "c"))).toBe(join(root, "a"));
    expect(makeFolders(join(root, "a", "b", "c"))).toBeUndefined();
    expect(readdirSync(join(root, "a", "b"))).toEqual(["c"]);
  });

  test.each([
    { what: "a file at its place", at: "file", code: "EEXIST" },
    { what: "a file above it", at: "file/below", code: "ENOTDIR" },
    { what: "a link that leads nowhere", at: "link", code: "EEXIST" },
  ])("unless there is $what", ({ at, code }) => {
    writeFileSync(join(root, "file"), "");
    symlinkSync(join(root, "nowhere"), join(root, "link"));
    expect(() => makeFolders(join(root, at))).toThrow(expect.objectContaining({ code }));
  });

  test("makes 32 folders for a path, and not one for a deeper one", () => {
    const below = (depth: number) => join(root, ...Array<string>(depth).fill("d"));
    expect(() => makeFolders(below(33))).toThrow(
      "Expected at most 32 folders to be missing but found more",
    );
    expect(existsSync(below(1))).toBe(false);
    expect(makeFolders(below(32))).toBe(below(1));
    expect(existsSync(below(32))).toBe(true);
  });

  test.skipIf(platform() !== "linux")(
    "unless its file system takes none, which is told at once",
    () => {
      expect(() => makeFolders("/proc/nope/below")).toThrow(
        expect.objectContaining({ code: "ENOENT", path: "/proc/nope" }),
      );
    },
  );
});

describe("git leaves a state directory out", () => {
  test("that a start made", async () => {
    const sim = await createSimulator({ storage: `file:${join(root, "a", "state")}` });
    await sim.close();
    expect(readFileSync(join(root, "a", "state", ".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(join(root, "a"))).toEqual(["state"]);
  });

  test("but for one that was there: it may be a project's", async () => {
    const sim = await createSimulator({ storage: `file:${root}` });
    await sim.close();
    expect(readdirSync(root)).not.toContain(".gitignore");
  });

  test("and a file of another start stays as it is", () => {
    mkdirSync(join(root, "state"));
    writeFileSync(join(root, "state", ".gitignore"), "mine\n");
    makeStateDirectory(join(root, "state"));
    expect(readFileSync(join(root, "state", ".gitignore"), "utf8")).toBe("mine\n");
  });

  test("a fresh start leaves the file where it is", async () => {
    const storage = `file:${join(root, "state")}`;
    for (const seed of [1, 2]) {
      const sim = await createSimulator({ storage, seed, fresh: true });
      await sim.close();
    }
    expect(readdirSync(join(root, "state", "old-1"))).not.toContain(".gitignore");
    expect(readFileSync(join(root, "state", ".gitignore"), "utf8")).toBe("*\n");
  });
});

test.each(["", "file:", "foo:x", "state", "file:a\0b", "file:a\nb", "file:~", "file:~/state"])(
  "%j is no place for state",
  async (storage) => {
    expect(parseStorageUrl(storage)).toBeUndefined();
    await expect(createSimulator({ storage })).rejects.toThrow(
      `Expected storage to be memory:, file:<directory> or postgres://<user>:<password>@<host>:<port>/<database> but found ${JSON.stringify(storage)}`,
    );
  },
);

test("a ~ that no shell has replaced is told", async () => {
  await expect(createSimulator({ storage: "file:~/state" })).rejects.toThrow(
    'found "file:~/state", whose ~ no shell has replaced: write $HOME',
  );
  expect(parseStorageUrl("file:./~/state")).toMatchObject({ kind: "file" });
});
