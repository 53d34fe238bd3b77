import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Diagnosis, formatDoctor } from "../../../src/cli/commands/doctor.ts";
import { checkNode, checkTerminal } from "../../../src/cli/tasks/doctor-checks.ts";
import { spaceCheck } from "../../../src/cli/tasks/doctor-state.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import { documentOf, waitUntil } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { colorTerminal, styleOn } from "../setup/styles.ts";

const place = benchPerTest();
const SEGMENT = ".service-sim/worlds/sandbox/line-0/journal/1-1";
const FREE = { SERVICE_SIM_PORT: "0" };

let style: Style;

beforeAll(async () => {
  style = await styleOn(false);
});

describe("the lines of doctor", () => {
  const node = { check: "node", ok: true, found: "22.11.0, needs 20.19 or newer" };

  test("say of each check whether it is well, and of each option where it comes from", () => {
    const diagnosis: Diagnosis = {
      checks: [
        node,
        { check: "state", ok: false, found: "no record at byte 0 of 1-1", next: "repair it" },
        { check: "running", ok: true, isWarning: true, found: "no simulator is running here" },
      ],
      settings: [
        { option: "port", value: "0", from: "cli", variable: "SERVICE_SIM_PORT" },
        { option: "clock", value: "manual", from: "env", variable: "SERVICE_SIM_CLOCK" },
        { option: "seed", value: "7", from: "config", variable: "SERVICE_SIM_SEED" },
        { option: "host", value: "127.0.0.1", from: "default", variable: "SERVICE_SIM_HOST" },
      ],
      configFile: "service-sim.config.ts",
    };
    expect(formatDoctor(diagnosis, style)).toEqual([
      "✓ node     22.11.0, needs 20.19 or newer",
      "✗ state    no record at byte 0 of 1-1",
      "~ running  no simulator is running here",
      "",
      "OPTION  VALUE      FROM",
      "port    0          flag",
      "clock   manual     SERVICE_SIM_CLOCK",
      "seed    7          service-sim.config.ts",
      "host    127.0.0.1  default",
    ]);
  });

  test("are the same in colour, but for the colour", async () => {
    const settings = [{ option: "port", value: "0", from: "env", variable: "SERVICE_SIM_PORT" }];
    const terminal = await colorTerminal();
    const lines = terminal.printed(formatDoctor({ checks: [node], settings }, terminal.style));
    const [check = "", , heads = "", option] = lines.split("\n");
    expect(check).toBe("\u001b[32m✓\u001b[39m node  22.11.0, needs 20.19 or newer");
    const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
    expect(heads).toBe(dim("OPTION  VALUE  FROM"));
    expect(option).toBe("port    0      SERVICE_SIM_PORT");
  });

  test("have the heads of the options also when there is none", () => {
    expect(formatDoctor({ checks: [node], settings: [] }, style)).toEqual([
      "✓ node  22.11.0, needs 20.19 or newer",
      "",
      "OPTION  VALUE  FROM",
    ]);
  });
});

describe("the space for the state", () => {
  const MIB = 1024 * 1024;
  test.each([
    {
      freeBytes: 0,
      ok: false,
      found: "0 MiB free for the state: writes get 503 until there is room",
    },
    {
      freeBytes: MIB - 1,
      ok: false,
      found: "0 MiB free for the state: writes get 503 until there is room",
    },
    {
      freeBytes: MIB,
      ok: true,
      isWarning: true,
      found: "1 MiB free for the state: when the disk is full, writes get 503",
    },
    {
      freeBytes: 128 * MIB - 1,
      ok: true,
      isWarning: true,
      found: "127 MiB free for the state: when the disk is full, writes get 503",
    },
    { freeBytes: 128 * MIB, ok: true, found: "128 MiB free for the state" },
    { freeBytes: 80 * 1024 * MIB, ok: true, found: "80 GiB free for the state" },
  ])("of $freeBytes bytes is told, and what it means", ({ freeBytes, ...expected }) => {
    expect(spaceCheck(freeBytes)).toEqual({
      check: "space",
      ...expected,
      ...(!expected.ok && {
        next: "free some space; a running simulator then continues by itself",
      }),
    });
  });
});

describe("the machine", () => {
  test.each([
    { version: "18.20.4", ok: false },
    { version: "20.18.3", ok: false },
    { version: "20.19.0", ok: true },
    { version: "22.0.0", ok: true },
    { version: "24.1.0", ok: true },
  ])("with Node $version is well: $ok", ({ version, ok }) => {
    expect(checkNode(version)).toEqual({
      check: "node",
      ok,
      found: `${version}, needs 20.19 or newer`,
      ...(!ok && { next: "install a newer Node.js" }),
    });
  });

  test.each([
    { stdout: {}, term: "dumb", found: "not a terminal", isWarning: undefined },
    { stdout: { isTTY: true }, term: "xterm", found: "colors", isWarning: undefined },
    { stdout: { isTTY: true }, term: undefined, found: "colors", isWarning: undefined },
    { stdout: { isTTY: true }, term: "dumb", found: "TERM=dumb: plain output", isWarning: true },
  ])("at $stdout with TERM=$term shows $found", ({ stdout, term, found, isWarning }) => {
    expect(checkTerminal(stdout, term)).toEqual({
      check: "terminal",
      ok: true,
      found,
      ...(isWarning && { isWarning }),
    });
  });

  test("whose port another program has is warned of, and of the port alone", async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { code, stdout } = await place().run(`doctor --port ${port}`);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `~ running   no simulator is running here\n~ port      port ${port} is in use by another program\n`,
    );
    expect((await place().run("doctor", { env: FREE })).stdout).not.toContain("is taken");
  });
});

/** The lines of a run up to the options. */
const checksOf = (stdout: string) => stdout.slice(0, stdout.indexOf("\n\n")).split("\n");

const NODE = `✓ node      ${process.versions.node}, needs 20.19 or newer`;
const NOBODY = "~ running   no simulator is running here";
const SETTINGS = "✓ settings  valid";
const TERMINAL = "✓ terminal  not a terminal";
const SPACE = expect.stringMatching(/^✓ space {5}\d+ [GM]iB free for the state$/);

const doctor = async (words = "doctor") => {
  const { code, stdout, stderr } = await place().run(words, { env: FREE });
  return { code, checks: checksOf(stdout), stderr };
};

describe("the state", () => {
  test("that is not there yet is well, and is not made", async () => {
    expect(await doctor()).toEqual({
      code: 0,
      checks: [
        NODE,
        `✓ state     ${place().file(".service-sim")} does not exist yet; start creates it`,
        SPACE,
        NOBODY,
        SETTINGS,
        TERMINAL,
      ],
      stderr: "",
    });
    expect(existsSync(place().file(".service-sim"))).toBe(false);
  });

  test("of a running simulator is looked at too, and its receiver", async () => {
    const { call, ready } = await place().start();
    const receiver = await new Receiver().start();
    const { url } = receiver;
    await call("PATCH", "/config", { webhookEndpoint: url });
    await waitUntil("the TEST event", () => receiver.received.length > 0);
    const running = `http://127.0.0.1:${ready.port} answers, service-sim 0.1.0, pid ${ready.pid}`;
    const state = expect.stringMatching(
      /^✓ state {5}\S+\/\.service-sim is writable, journal intact, \d+ changes$/,
    );
    const before = [NODE, state, SPACE, `✓ running   ${running}`];
    expect(await doctor()).toEqual({
      code: 0,
      checks: [...before, `✓ webhooks  ${url} accepts connections`, SETTINGS, TERMINAL],
      stderr: "",
    });
    expect(receiver.types()).toEqual(["TEST"]);
    await receiver.stop();
    expect(await doctor()).toEqual({
      code: 1,
      checks: [...before, `✗ webhooks  ${url}: ECONNREFUSED`, SETTINGS, TERMINAL],
      stderr: "",
    });
  });

  test("of one beyond loopback tells that its endpoint is not called, and why", async () => {
    const endpoint = "http://127.0.0.1:9/hook";
    const words = `--host 0.0.0.0 --webhook-endpoint ${endpoint}`;
    const found =
      `${endpoint}: not called: 127.0.0.1 is a loopback address; ` +
      "start with --allow-webhook-target 127.0.0.1";
    const told = { code: 1, checks: expect.arrayContaining([`✗ webhooks  ${found}`]) };
    expect(await doctor(`doctor ${words}`)).toMatchObject(told);
    const allowed = await doctor(`doctor ${words} --allow-webhook-target 127.0.0.1`);
    expect(allowed).toMatchObject({ code: 0 });
    await place().start(words);
    expect(await doctor()).toMatchObject(told);
    const { checks } = documentOf(await place().run(`doctor --json ${words}`, { env: FREE }));
    const webhooks = checks.filter(({ check }: { check: string }) => check === "webhooks");
    const next = "service-sim start --allow-webhook-target 127.0.0.1";
    expect(webhooks).toEqual([{ check: "webhooks", ok: false, found, next }]);
    const status = documentOf(await place().run("status --json"));
    expect(status.webhooks).toMatchObject({
      endpoint,
      notCalled: found.slice(endpoint.length + 2),
    });
  });

  test("with an unfinished record at its end is well: a start cuts it off", async () => {
    await (await place().start()).started.kill();
    const segment = place().file(SEGMENT);
    // A clean stop would know that the record was whole.
    rmSync(join(dirname(segment), "end"));
    const text = readFileSync(segment, "latin1");
    const last = text.split("\n").at(-2) ?? "";
    truncateSync(segment, text.length - 1);
    const records = text.split("\n").length - 2;
    const { code, checks } = await doctor();
    expect(code).toBe(0);
    expect(checks[1]).toContain(
      `${records} change${records === 1 ? "" : "s"} can be read; ` +
        `start cuts off an unfinished one of ${last.length.toLocaleString("en-US")} bytes`,
    );
    expect(readFileSync(segment, "latin1")).toHaveLength(text.length - 1);
  });

  test("that was killed is well, and a line says up to where it was read", async () => {
    await (await place().start()).started.kill();
    const journal = dirname(place().file(SEGMENT));
    renameSync(join(journal, "end"), join(journal, "begun"));
    const { code, checks } = await doctor();
    expect(code).toBe(0);
    expect(checks[2]).toMatch(
      /^\S+ last stop +the last run did not stop cleanly: the last change read is number \d+, of /,
    );
  });

  test("that lost its last record after a clean stop says so; a repair keeps the rest", async () => {
    await (await place().start()).started.kill();
    const segment = place().file(SEGMENT);
    const text = readFileSync(segment, "latin1");
    truncateSync(segment, text.length - 1);
    const missing = /change \d+, the last one at the last clean stop, in \S+ .*1 change is missing/;
    const { code, checks } = await doctor();
    expect(code).toBe(1);
    expect(checks[1]).toMatch(missing);
    const refused = await place().run("start --port 0");
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(missing) });
    expect(refused.stderr).toContain(segment);
    expect(refused.stderr).toContain("service-sim doctor --repair");
    expect(readFileSync(segment, "latin1")).toHaveLength(text.length - 1);
    const repaired = await doctor("doctor --repair");
    expect(repaired.code).toBe(0);
  });

  test.each([
    { what: "unreadable text", text: () => "garbage\n" },
    { what: "a wrong checksum", text: (whole: string) => whole.replace(/.(?=\n)/, "~") },
    { what: "a wrong length", text: (whole: string) => whole.replace("\n", " \n") },
  ])("that is damaged with $what says where, and is left as it is", async ({ what, text }) => {
    await (await place().start()).started.kill();
    const segment = place().file(SEGMENT);
    const damaged = text(readFileSync(segment, "latin1"));
    writeFileSync(segment, damaged, "latin1");
    const { code, checks } = await doctor();
    expect({ code, state: checks[1] }).toEqual({
      code: 1,
      state: `✗ state     ${what} at byte 0 of ${segment}; 0 changes before it are intact`,
    });
    const json = documentOf(await place().run("doctor --json", { env: FREE }));
    expect(json).toMatchObject({ ok: false });
    expect(json.checks[1].next).toBe(
      "service-sim doctor --repair    keeps those and sets the rest aside",
    );
    expect(readFileSync(segment, "latin1")).toBe(damaged);
  });

  test("of a newer version names the versions, and is no damage to repair", async () => {
    await (await place().start()).started.kill();
    const segment = place().file(SEGMENT);
    const json = '{"v":99,"seq":1}';
    const checksum = crc32(json).toString(16).padStart(8, "0");
    const newer = `${checksum} ${json.length} ${json}\n`;
    writeFileSync(segment, newer);
    for (const words of ["doctor", "doctor --repair"]) {
      const { code, checks } = await doctor(words);
      expect({ code, state: checks[1] }).toEqual({
        code: 1,
        state: `✗ state     Expected format version 5 but found 99 in ${segment}: a newer version of this program wrote it`,
      });
      expect(readFileSync(segment, "latin1")).toBe(newer);
    }
  });

  test.each(["file:afile", "file:afile/below/it"])(
    "that cannot be made since a file is in the way is told: %s",
    async (storage) => {
      writeFileSync(place().file("afile"), "");
      const { code, checks } = await doctor(`doctor --storage ${storage}`);
      const sentence = `Expected ${place().file("afile")} to be a directory but found a file`;
      expect({ code, state: checks[1] }).toEqual({ code: 1, state: `✗ state     ${sentence}` });
      const started = await place().run(`start --port 0 --storage ${storage}`);
      expect(started).toMatchObject({ code: 4, stderr: expect.stringContaining(sentence) });
    },
  );

  test.skipIf(platform() !== "linux").each([
    {
      storage: "file:/proc/nope",
      sentence:
        "Expected /proc/nope to be readable and writable but found a file system that takes no " +
        "new files for /proc",
    },
    {
      storage: "file:/proc",
      sentence:
        "Expected /proc to be readable and writable but found a file system that takes no new files",
    },
  ])("that $storage cannot hold is told at once, by start too", async ({ storage, sentence }) => {
    const { code, checks } = await doctor(`doctor --storage ${storage}`);
    expect({ code, state: checks[1] }).toEqual({ code: 1, state: `✗ state     ${sentence}` });
    const told = `error  ${sentence}\nnext   service-sim start --storage "file:$(mktemp -d)"`;
    for (const detach of ["", "--detach"]) {
      const started = await place().run(`start --port 0 --storage ${storage} ${detach}`);
      expect(started).toMatchObject({ code: 4, stderr: expect.stringContaining(told) });
    }
  });
});
