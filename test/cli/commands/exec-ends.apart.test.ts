import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { StartedProcesses } from "../../../src/cli/tasks/started-processes.ts";
import { isRunning } from "../../../src/machine/process-probe.ts";
import { waitUntil } from "../../setup/cli.ts";
import { fakeHostTimers, realHostTimers } from "../../setup/host-timers.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

/** Notes its pid in a file, then waits until somebody ends it, at most a minute. */
const WAITS =
  'echo $$ > "$1.new"; mv "$1.new" "$1"; i=0; while [ $i -lt 300 ]; do sleep 0.2; i=$((i+1)); done';

const write = (name: string, text: string) => writeFileSync(place().file(name), `${text}\n`);

const pidIn = async (name: string) => {
  const file = place().file(name);
  await waitUntil(`the pid in ${name}`, () => existsSync(file));
  return Number(readFileSync(file, "utf8"));
};

const gone = (pid: number) => waitUntil(`pid ${pid} to be gone`, () => !isRunning(pid));

const hasSetsid = spawnSync("setsid", ["true"]).status === 0;

/** Programs that stand between `exec` and the ones that have to end, side by side. */
const BETWEEN = [
  "sh -c 'sh waits.sh shell.pid; true'",
  `sh -c 'sh -c "sh waits.sh shells.pid; true"; true'`,
  "npm run waits",
  "sh waits.sh pipe.pid | cat",
  ...(hasSetsid ? ["setsid -w sh waits.sh session.pid"] : []),
];

describe.skipIf(process.platform === "win32")("exec ends what it started", () => {
  test("at SIGTERM, below shells, npm, a pipe, in the background and in another session", async () => {
    write("waits.sh", WAITS);
    write("package.json", '{"name":"shop","scripts":{"waits":"sh waits.sh npm.pid"}}');
    const exec = place().command(["exec", "--", "sh", "-c", `${BETWEEN.join(" & ")} & wait`]);
    const names = ["shell", "shells", "npm", "pipe", ...(hasSetsid ? ["session"] : [])];
    const pids = await Promise.all(names.map((name) => pidIn(`${name}.pid`)));
    expect((await exec.kill("SIGTERM")).code).not.toBe(0);
    for (const pid of pids) await gone(pid);
  });

  test("at SIGHUP, below a shell that waits for it", async () => {
    write("waits.sh", WAITS);
    const exec = place().command(["exec", "--", "sh", "-c", "sh waits.sh child.pid; true"]);
    const child = await pidIn("child.pid");
    expect((await exec.kill("SIGHUP")).code).not.toBe(0);
    await gone(child);
  });

  test("when the command ends and leaves a job behind", async () => {
    write("waits.sh", WAITS);
    const left =
      "sh waits.sh child.pid > /dev/null 2>&1 & while [ ! -s child.pid ]; do :; done; exit 7";
    const { code } = await place().command(["exec", "--", "sh", "-c", left]).ended;
    expect(code).toBe(7);
    await gone(await pidIn("child.pid"));
  });

  test("at a second signal at once, where the first is ignored", async () => {
    write("waits.sh", `trap "" TERM HUP; ${WAITS}`);
    const exec = place().command(["exec", "--", "sh", "waits.sh", "child.pid"]);
    const child = await pidIn("child.pid");
    process.kill(exec.pid, "SIGTERM");
    process.kill(exec.pid, "SIGHUP");
    expect((await exec.ended).code).toBe(137);
    await gone(child);
  });

  test("after five seconds, where the signal is ignored", async () => {
    write("waits.sh", `trap "" TERM HUP; ${WAITS}`);
    const waiting = place().spawn(["sh", "waits.sh", "child.pid"]);
    await pidIn("child.pid");
    fakeHostTimers();
    onTestFinished(realHostTimers);
    const started = new StartedProcesses({ pid: waiting.pid, hasGroup: false, url: undefined });
    started.send("SIGTERM");
    vi.advanceTimersByTime(4999);
    expect(isRunning(waiting.pid)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await waiting.ended).toMatchObject({ signal: "SIGKILL" });
  });
});

test("a program that ends by itself at a signal decides on the exit code", async () => {
  const code =
    "process.on('SIGTERM', () => process.exit(5)); console.log('up'); setInterval(() => {}, 1e3)";
  const exec = place().command(["exec", "--", process.execPath, "-e", code]);
  await exec.printed("up");
  expect((await exec.kill("SIGTERM")).code).toBe(5);
});

describe("no call to this machine goes through a proxy", () => {
  const shown = "console.log(process.env.NO_PROXY + ' ' + process.env.no_proxy)";
  const OURS = "localhost,.localhost,127.0.0.1,::1,[::1]";

  test.each([
    { env: {}, shows: `${OURS} ${OURS}` },
    { env: { NO_PROXY: "a.example" }, shows: `a.example,${OURS} a.example,${OURS}` },
    { env: { no_proxy: "a.example" }, shows: `a.example,${OURS} a.example,${OURS}` },
    { env: { NO_PROXY: "*" }, shows: "* *" },
  ])("from a program under exec, with $env", async ({ env, shows }) => {
    const unset = { NO_PROXY: "", no_proxy: "" };
    const given = "NO_PROXY" in env || "no_proxy" in env ? env : unset;
    const { stdout } = await place().run(["exec", "--", process.execPath, "-e", shown], {
      env: given as Record<string, string>,
    });
    expect(stdout.trim()).toBe(shows);
  });
});
