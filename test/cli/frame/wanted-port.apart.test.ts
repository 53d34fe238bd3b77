import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { portFailure } from "../../../src/cli/frame/wanted-port.ts";
import { autoPorts } from "../../../src/http/sockets/auto-port.ts";
import { createSimulator } from "../../../src/simulator.ts";
import { portFolderOf } from "../../../src/storage/port-folder.ts";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { takenPort } from "../setup/taken-port.ts";

const place = benchPerTest();

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === "::1");

/** A machine without IPv6 leaves out the rows that need it. */
const possible = <Row extends object>(rows: readonly Row[]) =>
  rows.filter((row) => hasIpv6 || !JSON.stringify(row).includes("::"));

const AUTO_AND_ZERO = [
  "service-sim start --port auto    take a port of this folder's own",
  "service-sim start --port 0       take any free port",
];

/** The check of the port by doctor, if it has anything to say. */
const checkOf = async (words: string, folder: string) => {
  const { checks } = documentOf(await place().run(`doctor --json ${words}`, { folder }));
  return checks.find(({ check }: { check: string }) => check === "port");
};

/** The error of a start that cannot take its port. */
const errorOf = async (words: string, folder: string) => {
  const ended = await place().run(`start --json --storage memory: ${words}`, { folder });
  expect(ended.code).toBe(4);
  return documentOf(ended).error;
};

describe("start and doctor say the same of a port that is held", () => {
  const HOLDERS = possible([
    { by: "on loopback", listens: "", asks: "" },
    { by: "on loopback, asked for every address", listens: "", asks: "--host 0.0.0.0" },
    { by: "on IPv6 loopback", listens: "--host ::1", asks: "--host ::1" },
    { by: "on IPv6 loopback, for every address", listens: "--host ::1", asks: "--host ::" },
  ]);

  test.each(HOLDERS)("by a simulator of another folder $by", async ({ listens, asks }) => {
    const { ready } = await place().start(listens, { folder: "holder" });
    const { port, pid } = ready;
    const words = `--port ${port} ${asks}`;
    const message = `port ${port} is in use by service-sim, pid ${pid}`;
    expect(await checkOf(words, "other")).toMatchObject({ isWarning: true, found: message });
    const { details, next } = await errorOf(words, "other");
    expect(await errorOf(words, "other")).toMatchObject({
      code: "PORT_TAKEN",
      message,
      exitCode: 4,
    });
    expect(details).toEqual({ port, pid });
    const [first, ...others] = next;
    expect(first).toContain(`service-sim status --url http://`);
    expect(others).toHaveLength(2);
    const called = first.replace("service-sim ", "").replace(/ {4}use that one$/, "");
    expect(documentOf(await place().run(`${called} --json`))).toMatchObject({ pid });
  });

  test("by one beyond loopback, which tells its pid to nobody without its token", async () => {
    const { ready } = await place().start("--host 0.0.0.0", { folder: "holder" });
    const { port } = ready;
    const message = `port ${port} is in use by service-sim`;
    expect(await checkOf(`--port ${port}`, "other")).toMatchObject({ found: message });
    expect(await errorOf(`--port ${port}`, "other")).toMatchObject({
      message,
      next: AUTO_AND_ZERO,
      details: { port },
    });
  });

  const PROGRAMS = possible([
    { at: "127.0.0.1", asks: "" },
    { at: "0.0.0.0", asks: "" },
    { at: "::", asks: "--host ::1" },
    { at: "127.0.0.1", asks: "--host 0.0.0.0" },
  ]);

  test.each(PROGRAMS)("by another program at $at, asked $asks", async ({ at, asks }) => {
    const port = await takenPort(at);
    const message = `port ${port} is in use by another program`;
    const words = `--port ${port} ${asks}`;
    expect(await checkOf(words, "other")).toEqual({
      check: "port",
      ok: true,
      isWarning: true,
      found: message,
      next: AUTO_AND_ZERO[1],
    });
    expect(await errorOf(words, "other")).toMatchObject({ message, next: AUTO_AND_ZERO });
    expect(existsSync(place().file("other", ".service-sim", "instance.json"))).toBe(false);
  });

  test("and of an address that is not this machine's", async () => {
    const words = "--port 0 --host 203.0.113.7";
    const message =
      "cannot listen on 203.0.113.7:0: " +
      "listen EADDRNOTAVAIL: address not available 203.0.113.7";
    expect(await checkOf(words, "other")).toMatchObject({ ok: false, found: message });
    expect(await errorOf(words, "other")).toMatchObject({ message });
  });

  test("and doctor says nothing of one that is free", async () => {
    expect(await checkOf("--port 0", "other")).toBeUndefined();
  });
});

test("a port that only root may take is told as that", async () => {
  const error = Object.assign(new Error("listen EACCES: permission denied"), { code: "EACCES" });
  const where = { port: 80, ports: [80], host: "127.0.0.1" };
  expect(await portFailure(error, where)).toMatchObject({
    code: "CANNOT_LISTEN",
    exitCode: 4,
    message: "cannot listen on 127.0.0.1:80: this user may not take a port below 1024",
    next: ["service-sim start --port 0    take any free port"],
  });
});

describe("--port auto", () => {
  const portsIn = (folder: string) =>
    autoPorts(portFolderOf({ kind: "memory" }, place().file(folder)));

  /** Starts on the folder's own port; its commands find it there. */
  const startIn = async (folder: string, words = "") => {
    const started = place().command(`start --json --port auto ${words}`, { folder });
    const line = await started.firstLine();
    onTestFinished(() => void started.kill("SIGKILL"));
    if (line === undefined) throw new Error((await started.ended).stderr);
    return JSON.parse(line) as { port: number; pid: number };
  };

  test("two checkouts run side by side, each on its own port, again and again", async () => {
    const first = await startIn("one");
    const second = await startIn("two");
    expect([first.port, second.port]).toEqual([portsIn("one")[0], portsIn("two")[0]]);
    for (const [folder, { pid }] of Object.entries({ one: first, two: second }))
      expect(documentOf(await place().run("status --json", { folder }))).toMatchObject({ pid });
    await place().run("stop", { folder: "one" });
    expect((await startIn("one")).port).toBe(first.port);
  });

  test("a port in use makes room for the next, which doctor says too", async () => {
    const [first = 0, second = 0] = portsIn("one");
    await takenPort("127.0.0.1", first);
    const found = `auto takes port ${second} for this folder, since ${first} is in use`;
    expect(await checkOf("--port auto", "one")).toEqual({
      check: "port",
      ok: true,
      isWarning: true,
      found,
    });
    expect((await startIn("one")).port).toBe(second);
    expect(await place().run("status", { folder: "one" })).toMatchObject({ code: 0 });
  });

  test("the last port in use is an error with the range", async () => {
    const error = Object.assign(new Error("in use"), { code: "EADDRINUSE" });
    const where = { port: "auto", ports: [20_000, 20_001, 20_002], host: "127.0.0.1" } as const;
    expect(await portFailure(error, where)).toMatchObject({
      code: "PORT_TAKEN",
      message: "every port from 20000 to 20002 is in use",
      next: ["service-sim start --port 0    take any free port"],
    });
  });

  test("counts in a config file, also by a link to the folder and in memory", async () => {
    const [first] = portsIn("one");
    await place().run("doctor", { folder: "one" });
    symlinkSync(place().file("one"), place().file("link"));
    writeFileSync(place().file("one", "service-sim.config.json"), '{"port":"auto"}');
    const started = place().command("start --json --storage memory:", { folder: "link" });
    expect(JSON.parse((await started.firstLine()) ?? "{}")).toMatchObject({ port: first });
  });

  test("counts in a variable", async () => {
    const env = { SERVICE_SIM_PORT: "auto" };
    const started = place().command("start --json", { folder: "one", env });
    expect(JSON.parse((await started.firstLine()) ?? "{}")).toMatchObject({
      port: portsIn("one")[0],
    });
  });

  test("createSimulator takes it too", async () => {
    const sim = await createSimulator({ storage: `file:${place().file("state")}` });
    onTestFinished(() => sim.close());
    const folder = portFolderOf({ kind: "file", directory: place().file("state") }, "/");
    expect((await sim.listen({ port: "auto" })).port).toBe(autoPorts(folder)[0]);
  });
});
