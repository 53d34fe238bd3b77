import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFailure } from "../../../src/cli/frame/simulator-options.ts";

/** A failure as the system reports it: tests may run as root, who may write everywhere. */
const systemError = (code: string, path: string, syscall = "mkdir") =>
  Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, path, syscall });

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "state-place-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

const IN_TEMPORARY = 'service-sim start --storage "file:$(mktemp -d)"    use a temporary directory';

test.each([
  { code: "EACCES", found: "no permission" },
  { code: "EPERM", found: "no permission" },
  { code: "EROFS", found: "a read-only file system" },
])("$code is told with the place that is not writable", ({ code, found }) => {
  const parent = folder();
  const path = join(parent, "state");
  const next = [
    `make ${parent} writable, then start again`,
    'service-sim start --storage "file:$(mktemp -d)"    or use a temporary directory',
  ];
  expect(startFailure(systemError(code, path))).toMatchObject({
    exitCode: 4,
    message: `Expected ${path} to be readable and writable but found ${found} for ${parent}`,
    next,
  });
  expect(startFailure(systemError(code, parent))).toMatchObject({
    exitCode: 4,
    message: `Expected ${parent} to be readable and writable but found ${found}`,
    next,
  });
});

test("another failure of the system is told as it is", () => {
  expect(startFailure(systemError("ENOSPC", "/state"))).toMatchObject({
    exitCode: 4,
    message: "cannot use the state directory: ENOSPC: mkdir '/state'",
    next: ["service-sim start --storage memory:    run in memory"],
  });
});

test("a file that cannot be made in a directory is about the directory", () => {
  const path = folder();
  const lock = join(path, "lock.tmp-1");
  expect(startFailure(systemError("EACCES", lock, "open"))).toMatchObject({
    message: `Expected ${path} to be readable and writable but found no permission`,
  });
});

test("a file system without hard links is named", () => {
  const path = folder();
  expect(startFailure(systemError("EPERM", join(path, "lock.tmp-1"), "link"))).toMatchObject({
    exitCode: 4,
    message: `Expected ${path} to be on a file system with hard links but found none`,
    next: [IN_TEMPORARY],
  });
});

test("a broken link is named", () => {
  const path = join(folder(), "state");
  symlinkSync(join(path, "nowhere"), path);
  expect(startFailure(systemError("EEXIST", path))).toMatchObject({
    exitCode: 4,
    message: `Expected ${path} to be a directory but found a broken link`,
  });
});
