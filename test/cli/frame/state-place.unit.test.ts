import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFailure } from "../../../src/cli/frame/simulator-options.ts";

/** A failure as the system reports it: tests may run as root, who may write everywhere. */
const systemError = (code: string, path: string) =>
  Object.assign(new Error(`${code}: mkdir '${path}'`), { code, path, syscall: "mkdir" });

test.each([
  { code: "EACCES", found: "no permission" },
  { code: "EPERM", found: "no permission" },
  { code: "EROFS", found: "a read-only file system" },
])("$code is told with the place that is not writable", ({ code, found }) => {
  const parent = mkdtempSync(join(tmpdir(), "state-place-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
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
