import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runInProcess } from "../setup/in-process.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const folder = mkdtempSync(join(tmpdir(), "service-sim-exec-"));
const BROKEN = join(folder, "bad.json");
writeFileSync(BROKEN, "{\n");
afterAll(() => rmSync(folder, { recursive: true }));

/** `exec` with a program of Node.js as the command. */
const execNode = (code: string, options: readonly string[] = []) =>
  place().run(["exec", ...options, "--", process.execPath, "-e", code]);

test("the command finds a simulator of its own in its environment, and can sign in", async () => {
  const { code, stdout, stderr } = await execNode(`
    const { SERVICE_SIM_URL: url, SERVICE_SIM_API_URL: apiUrl } = process.env;
    const { SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } = process.env;
    const headers = { authorization: "Basic " + btoa(id + ":" + secret) };
    const config = await fetch(apiUrl + "/config", { headers });
    const key = await (await fetch(url + "/_sim/webhooks/key")).text();
    const sameKey = key === process.env.SERVICE_SIM_WEBHOOK_PUBLIC_KEY;
    console.log(JSON.stringify({ id, status: config.status, sameKey, apiUrl, url }));
  `);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^note {3}coverage 0\.5 %/);
  const { url, ...found } = JSON.parse(stdout);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
  const apiUrl = `${url}/2025-10-13`;
  expect(found).toEqual({ id: "sandbox", status: 200, sameKey: true, apiUrl });
});

test("a world of the shell belongs to another simulator, so the command does not see it", async () => {
  const args = ["exec", "--", process.execPath, "-p", "process.env.SERVICE_SIM_WORLD"];
  const { stdout } = await place().run(args, { env: { SERVICE_SIM_WORLD: "checkout-7" } });
  expect(stdout).toBe("undefined\n");
});

test("a seed decides on the credentials too, and without one they are drawn", async () => {
  const secret = async (...options: string[]) =>
    (await execNode("console.log(process.env.SERVICE_SIM_CLIENT_SECRET)", options)).stdout.trim();
  expect(await secret("--seed", "7")).toBe("sk_sim_BiwmwUrdoR90ffGf");
  expect(await secret()).not.toBe(await secret());
});

test("it is in memory, leaves no file, and is gone when the command ends", async () => {
  const { stdout } = await execNode(`
    const { storage } = await (await fetch(process.env.SERVICE_SIM_URL + "/_sim/status")).json();
    console.log(storage.url + " " + process.env.SERVICE_SIM_URL);
  `);
  const [storage, url = ""] = stdout.trim().split(" ");
  expect(storage).toBe("memory:");
  expect(readdirSync(place().path)).toEqual([]);
  await expect(fetch(`${url}/_sim/live`)).rejects.toThrow();
});

test("the simulator takes the options in front of the command", async () => {
  const { stdout } = await execNode(
    `const status = await fetch(process.env.SERVICE_SIM_URL + "/_sim/status");
     const { seed, now, clock } = await status.json();
     const secret = process.env.SERVICE_SIM_CLIENT_SECRET;
     console.log(JSON.stringify({ seed, now, secret, mode: clock.mode }));`,
    [
      "--seed",
      "7",
      "--client-secret",
      "mine",
      "--clock",
      "manual",
      "--now",
      "2026-01-05T09:00:00Z",
    ],
  );
  expect(JSON.parse(stdout)).toEqual({
    seed: "7",
    now: "2026-01-05T09:00:00.000Z",
    secret: "mine",
    mode: "manual",
  });
});

test.each([
  { line: "exit 255", code: 255 },
  { line: "kill -TERM $$", code: 143 },
  { line: "kill -KILL $$", code: 137 },
])("a command that ends with $line makes it $code", async ({ line, code }) => {
  expect(await place().run(["exec", "--", "sh", "-c", line])).toEqual({
    code,
    signal: null,
    stdout: "",
    stderr: "",
  });
});

test("what the command prints passes, and nothing is added", async () => {
  const line = "printf 'one\\ntwo'; printf three >&2; exit 3";
  expect(await place().command(["exec", "--json", "--", "sh", "-c", line]).ended).toEqual({
    code: 3,
    signal: null,
    stdout: "one\ntwo",
    stderr: "three",
  });
});

test("options behind the command are the command's, with and without --", async () => {
  const words = ["echo", "--json", "--help", "-v"];
  for (const between of [["--"], []])
    expect(await place().run(["exec", ...between, ...words])).toMatchObject({
      code: 0,
      stdout: "--json --help -v\n",
    });
});

test("a signal is passed on to the command, whose exit code counts", async () => {
  const code = `process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1000);
    console.log("up");`;
  const running = place().command(["exec", "--", process.execPath, "-e", code]);
  await running.firstLine();
  expect(await running.kill("SIGTERM")).toMatchObject({ code: 9, stdout: "up\n", stderr: "" });
});

test.each([
  { command: "no-such-program", found: "ENOENT" },
  { command: "/", found: "EACCES" },
])("a command that cannot be run exits 2: $command", async ({ command, found }) => {
  const ended = await runInProcess(["exec", "--json", "--", command]);
  expect(ended).toMatchObject({
    code: 2,
    stderr:
      `error  cannot run ${command}: ${found}\n` +
      `next   check that ${command} exists and is executable\n`,
  });
  expect(JSON.parse(ended.stdout).error).toMatchObject({ code: "CANNOT_RUN", exitCode: 2 });
});

test.each([
  {
    words: "exec",
    sentence: "say which command to run, for example: exec -- npm test",
    next: "exec --help",
  },
  { words: "why", sentence: "give an id", next: "why --help" },
  {
    words: "exec --port 4747 -- true",
    sentence: "no option --port here",
    next: "exec --help",
  },
  {
    words: "exec --now nonsense -- true",
    sentence: 'Expected --now to be an instant like 2026-01-05T09:00:00Z but found "nonsense"',
    next: "exec --help",
  },
  {
    words: `exec --fixture ${BROKEN} -- true`,
    sentence: `--fixture: Expected a "}" at line 2, column 1 of ${BROKEN} but found the end of the file`,
    next: "exec --help",
  },
])("$words exits 2 and says what was expected", async ({ words, sentence, next }) => {
  expect(await runInProcess(words.split(" "))).toEqual({
    code: 2,
    stdout: "",
    stderr: `error  ${sentence}\nnext   service-sim ${next}\n`,
  });
});
