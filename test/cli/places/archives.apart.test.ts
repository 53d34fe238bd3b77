import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

/**
 * File calls as Yarn's Plug'n'Play leaves them: file handles of its own without some methods, and
 * lists of folders in archives that know no options.
 */
const AS_IN_ARCHIVES = `
const fs = require("node:fs");
const { open } = fs.promises;
const missing = () => { throw new Error("Method not implemented."); };
fs.promises.open = async (...given) => {
  const handle = await open(...given);
  const methods = ["chown", "datasync", "sync", "utimes", "readv", "writev"];
  for (const name of methods) handle[name] = missing;
  return handle;
};
const { readdirSync } = fs;
fs.readdirSync = (path, options) =>
  readdirSync(path, options && options.recursive ? { ...options, recursive: false } : options);
fs.opendirSync = fs.watch = missing;
`;

const environment = () => {
  const preload = place().file("archives.cjs");
  writeFileSync(preload, AS_IN_ARCHIVES);
  return { NODE_OPTIONS: `--require=${preload}` };
};

test.each(["--storage file:state", "--storage file:state --fsync"])(
  "a package in an archive starts with %s, keeps what it does, and stops",
  async (storage) => {
    const env = environment();
    const running = await place().startProcess(storage, { env });
    expect((await running.call("GET", "/config")).status).toBe(200);
    expect((await running.control("PUT", "/snapshots/one")).status).toBe(201);
    expect((await running.control("POST", "/worlds", { name: "other" })).status).toBe(201);
    expect((await running.stop()).code).toBe(0);
    const again = await place().startProcess(storage, { env });
    const { body } = await again.control("GET", "/snapshots");
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["one"]);
    expect((await again.stop()).code).toBe(0);
  },
);

test.each(["exec -- true", "demo", "docs quotes", "run --list", "outcomes"])(
  "a package in an archive runs %s",
  async (command) => {
    const { code, stderr } = await place().run(command, { env: environment() });
    expect(stderr).not.toContain("not implemented");
    expect(code).toBe(command === "run --list" ? 2 : 0);
  },
);
