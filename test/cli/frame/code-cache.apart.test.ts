import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SERVICE_SIM, Workplace } from "../../setup/cli.ts";

let place: Workplace;
let env: Record<string, string>;

beforeEach(() => {
  place = new Workplace();
  env = { XDG_CACHE_HOME: place.file("cache") };
});

afterEach(() => place.close());

const NOT_RUNNING = "error  no simulator is running (.service-sim)\n";

/** The cheapest command that loads the program and talks to a simulator, of which there is none. */
const status = async (more: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await place.run("status", { env: { ...env, ...more } });
  expect({ code, stdout, stderr }).toEqual({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining(NOT_RUNNING),
  });
};

const folder = () => place.file("cache", "service-sim");

const kept = () => readdirSync(folder()).map((name) => join(folder(), name));

/** The one file of the cache, and what tells whether it was written again. */
const only = () => {
  const [file = "", ...others] = kept();
  expect(others).toEqual([]);
  return { file, inode: statSync(file).ino };
};

test("the first run leaves the code of its command, and the second takes all of it", async () => {
  await status();
  const { file, inode } = only();
  expect(file).toMatch(/[\\/]status-[0-9a-f]{8}\.bin$/);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await status();
  expect(only()).toEqual({ file, inode });
});

test("the first start of a checkout takes all of its code from what the build has kept", async () => {
  const { status: code } = spawnSync(process.execPath, [
    join(dirname(SERVICE_SIM), "keep-code.js"),
  ]);
  expect(code).toBe(0);
  const first = await place.start("--storage file:state", { env });
  expect((await first.call("GET", "/config")).status).toBe(200);
  await first.stop();
  expect(existsSync(folder()) ? kept() : []).toEqual([]);
});

test("a start leaves its code while it runs, and the next one takes all of it", async () => {
  // V8 refuses what was compiled with other flags: the code of the build, here.
  env.NODE_OPTIONS = "--stack-trace-limit=11";
  const first = await place.start("--storage memory:", { env });
  const whole = () => kept().filter((name) => name.endsWith(".bin"));
  await expect.poll(whole).toHaveLength(1);
  await first.stop();
  const { file, inode } = only();
  expect(file).toMatch(/[\\/]start-[0-9a-f]{8}\.bin$/);
  const second = await place.start("--storage memory:", { env });
  expect((await second.call("GET", "/config")).status).toBe(200);
  await second.stop();
  expect(only()).toEqual({ file, inode });
});

/** Bytes with another one at a place, whatever it was. */
const flipped = (bytes: Buffer, at: number) => {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  return bytes;
};

const spoilt = [
  { how: "a byte of the checksum", spoil: (bytes: Buffer) => flipped(bytes, 2) },
  { how: "a byte of the length", spoil: (bytes: Buffer) => flipped(bytes, 5) },
  { how: "a byte of the index", spoil: (bytes: Buffer) => flipped(bytes, 20) },
  { how: "a byte of the code", spoil: (bytes: Buffer) => flipped(bytes, bytes.length >> 1) },
  { how: "the second half", spoil: (bytes: Buffer) => bytes.subarray(0, bytes.length / 2) },
  { how: "everything", spoil: () => Buffer.alloc(0) },
];

test("code that lost a part is not run, and is replaced", async () => {
  await status();
  const { file } = only();
  for (const { how, spoil } of spoilt) {
    const broken = spoil(Buffer.from(readFileSync(file)));
    writeFileSync(file, broken);
    await status();
    expect(readFileSync(file).equals(broken), how).toBe(false);
  }
  const { inode } = only();
  await status();
  expect(only()).toEqual({ file, inode });
});

test("code of a program that was replaced in its place is not run", async () => {
  cpSync(dirname(dirname(SERVICE_SIM)), place.file("own"), {
    recursive: true,
    filter: (from) => !/node_modules|\.git|[\\/](src|test)$/.test(from),
  });
  const program = place.file("own", "bin", "service-sim.js");
  const run = () => place.spawn([process.execPath, program, "status"], { env }).ended;
  expect((await run()).stderr).toContain("no simulator is running");
  const text = "no simulator is running";
  const chunks = place.file("own", "dist", "chunks");
  for (const name of readdirSync(chunks)) {
    const source = readFileSync(join(chunks, name), "utf8");
    // V8 compares the lengths of sources, and nothing else of them.
    writeFileSync(join(chunks, name), source.replace(text, "no simulator is RUNNING"));
  }
  expect((await run()).stderr).toContain("no simulator is RUNNING");
});

test("runs at the same time leave one whole file", async () => {
  await Promise.all([status(), status(), status()]);
  const { file, inode } = only();
  await status();
  expect(only()).toEqual({ file, inode });
});

describe("nothing is cached, and the command runs", () => {
  test("where no folder can be made", async () => {
    writeFileSync(place.file("cache"), "a file");
    await status();
    expect(readFileSync(place.file("cache"), "utf8")).toBe("a file");
  });

  test("in a folder that others can write to", async () => {
    await status();
    const { file, inode } = only();
    writeFileSync(file, "planted");
    chmodSync(folder(), 0o777);
    await status();
    expect(readFileSync(file, "utf8")).toBe("planted");
    expect(only()).toEqual({ file, inode });
  });

  test.skipIf(process.getuid?.() !== 0)("in a folder of another user", async () => {
    await status();
    const { file } = only();
    writeFileSync(file, "planted");
    chownSync(folder(), 12345, 12345);
    await status();
    expect(readFileSync(file, "utf8")).toBe("planted");
  });

  test.each([{ SERVICE_SIM_CODE_CACHE: "off" }, { NODE_DISABLE_COMPILE_CACHE: "1" }])(
    "with %o",
    async (variables) => {
      await status(variables);
      expect(() => kept()).toThrow("ENOENT");
    },
  );

  test("for a command that does not exist", async () => {
    const { code } = await place.run("statsu", { env });
    expect(code).toBe(2);
    expect(() => kept()).toThrow("ENOENT");
  });
});
