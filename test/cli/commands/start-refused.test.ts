import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { takenPort } from "../setup/taken-port.ts";

const place = benchPerTest();

const failure = (sentence: string, next: string[]) =>
  `error  ${sentence}\nnext   ${next.join("\n       ")}\n`;

const STORAGE =
  "memory:, file:<directory> or postgres://<user>:<password>@<host>:<port>/<database>";

const HELP = ["service-sim start --help"];

test.each([
  {
    words: "--storage nonsense",
    sentence: `Expected --storage to be ${STORAGE} but found "nonsense"`,
  },
  {
    words: "--storage file:",
    sentence: `Expected --storage to be ${STORAGE} but found "file:"`,
  },
  {
    words: "--storage postgres://sim:s3cret@127.0.0.1",
    sentence: `Expected --storage to be ${STORAGE} but found "postgres://sim:***@127.0.0.1"`,
  },
  {
    words: "--storage postgres://sim:s3cr/et@127.0.0.1/sim",
    sentence: `Expected --storage to be ${STORAGE} but found "postgres://sim:***@127.0.0.1/sim"`,
  },
  {
    words: "--storage redis://sim:s3cret@127.0.0.1/0 --detach",
    sentence: `Expected --storage to be ${STORAGE} but found "redis://sim:***@127.0.0.1/0"`,
  },
  {
    words: "--storage postgres://sim:s3cret@127.0.0.1/sim --force",
    sentence:
      "--force: only a folder needs it: a database frees the worlds of a simulator 5 s after its end",
  },
  {
    words: "--storage file:~/state --detach",
    sentence:
      `Expected --storage to be ${STORAGE} but found ` +
      '"file:~/state", whose ~ no shell has replaced: write $HOME',
  },
  {
    words: "--storage nonsense --detach",
    sentence: `Expected --storage to be ${STORAGE} but found "nonsense"`,
  },
  {
    words: "--port 70000",
    sentence: 'Expected --port to be a whole number up to 65535 or auto but found "70000"',
  },
  {
    words: "--port abc",
    sentence: 'Expected --port to be a whole number up to 65535 or auto but found "abc"',
  },
  {
    words: "--port -1",
    sentence: 'Expected --port to be a whole number up to 65535 or auto but found "-1"',
  },
  {
    words: "--now nonsense",
    sentence: 'Expected --now to be an instant like 2026-01-05T09:00:00Z but found "nonsense"',
  },
  {
    words: "--now 2026-01-05",
    sentence: 'Expected --now to be an instant like 2026-01-05T09:00:00Z but found "2026-01-05"',
  },
  {
    words: "--now 2026-02-31T09:00:00Z",
    sentence:
      'Expected --now to be an instant like 2026-01-05T09:00:00Z but found "2026-02-31T09:00:00Z"',
  },
  {
    words: "--crypto none",
    sentence: 'Expected --crypto to be one of both, magic-only, strict but found "none"',
  },
  {
    words: "--clock sometimes",
    sentence: 'Expected --clock to be real, manual, auto or a speed like 60x but found "sometimes"',
  },
  {
    words: "--webhook-timeout 1h",
    sentence: 'Expected --webhook-timeout to be a whole number up to 600000 but found "1h"',
  },
  {
    words: "--webhook-endpoint ftp://x",
    sentence: 'Expected --webhook-endpoint to be an http or https URL but found "ftp://x"',
  },
  {
    words: "--webhook-endpoint http://169.254.169.254/",
    sentence:
      "Expected --webhook-endpoint to be a receiver but found a link-local or metadata " +
      'address, "http://169.254.169.254/"',
  },
  {
    words: "--allow-webhook-target 10.0.0.0/99",
    sentence:
      "Expected --allow-webhook-target to be a host name, an address or a range like " +
      '10.0.0.0/8, none of them link-local, but found "10.0.0.0/99"',
  },
  {
    words: "--sandbox-uma-domain a_b",
    sentence: 'Expected --sandbox-uma-domain to be a domain name but found "a_b"',
  },
  {
    words: "--client-id a:b",
    sentence: 'Expected --client-id to be text without a colon but found "a:b"',
  },
  {
    words: "--client-secret sk_live_4711",
    sentence:
      "Expected --client-secret to be a test credential but found a production one, which begins with sk_live_",
  },
  {
    words: "--production-prefix acme_ --client-id acme_shop",
    sentence:
      "Expected --client-id to be a test credential but found a production one, which begins with acme_",
  },
  {
    words: "--production-prefix sk_",
    sentence: `Expected --production-prefix to be 3 characters or more, different from the simulator's own credentials, but found "sk_"`,
  },
  { words: "--port", sentence: "--port needs a value" },
  { words: "here", sentence: 'Expected nothing after start but found "here"' },
])("start $words exits 2 and says what was expected", async ({ words, sentence }) => {
  const ended = await place().run(`start ${words}`);
  expect(ended).toEqual({ code: 2, signal: null, stdout: "", stderr: failure(sentence, HELP) });
  expect(readdirSync(place().path)).toEqual([]);
});

test.each(["--seed", "--client-id", "--client-secret", "--host"])(
  "start %s with an empty value exits 2, also beyond loopback",
  async (flag) => {
    const sentence = `Expected ${flag} to have a value but found an empty one`;
    const beyond = flag === "--host" ? [] : ["--host", "0.0.0.0"];
    const typed = await place().run(["start", "--port", "0", ...beyond, flag, ""]);
    expect(typed).toMatchObject({ code: 2, stderr: failure(sentence, HELP) });
    const variable = `SERVICE_SIM_${flag.slice(2).toUpperCase().replace("-", "_")}`;
    const found = await place().run(["start", "--port", "0"], { env: { [variable]: "" } });
    expect(found.code).toBe(2);
    expect(found.stderr).toContain(`error  ${sentence}\n`);
    expect(readdirSync(place().path)).toEqual([]);
  },
);

test.each([
  {
    variable: "SERVICE_SIM_CRYPTO",
    value: "x",
    sentence: 'Expected SERVICE_SIM_CRYPTO to be one of both, magic-only, strict but found "x"',
    next: HELP,
  },
  {
    variable: "SERVICE_SIM_PORT",
    value: "x",
    sentence: 'Expected --port to be a whole number up to 65535 or auto but found "x"',
    // The sentence names no variable: doctor shows the source of the value.
    next: [...HELP, "service-sim doctor    shows each option and its source"],
  },
])("$variable=$value exits 2 and says what was expected", async (row) => {
  const { variable, value, sentence, next } = row;
  const { code, stderr } = await place().run("start", { env: { [variable]: value } });
  expect({ code, stderr }).toEqual({ code: 2, stderr: failure(sentence, next) });
});

test("with --json a refusal is one document on stdout, and a sentence on stderr", async () => {
  const ended = await place().run("start --json --port 70000");
  const message = 'Expected --port to be a whole number up to 65535 or auto but found "70000"';
  expect(ended).toMatchObject({ code: 2, stderr: failure(message, HELP) });
  expect(documentOf(ended)).toEqual({
    error: { code: "USAGE", message, next: HELP, exitCode: 2 },
  });
});

test("a second start on the same state exits 4 and names the first", async () => {
  const { ready, call } = await place().startProcess();
  const { code, stderr, stdout } = await place().run("start --port 0");
  const where = place().file(".service-sim");
  const held = `another simulator (pid ${ready.pid}) is using ${where}`;
  expect({ code, stderr, stdout }).toEqual({
    code: 4,
    stderr: failure(held, [
      "service-sim stop                       stop it, then start again",
      "service-sim start --storage memory:    run a second one in memory",
    ]),
    stdout: "",
  });
  expect(await call("GET", "/config")).toMatchObject({ status: 200 });
  expect(place().readJson(".service-sim", "instance.json")).toMatchObject({ pid: ready.pid });
});

describe("hints about another state than the usual one name it", () => {
  const OTHER = "--storage file:other";
  const IN_MEMORY = "service-sim start --storage memory:";

  test("when another simulator has it", async () => {
    const { ready } = await place().startProcess(OTHER);
    const { code, stderr } = await place().run(`start --port 0 ${OTHER}`);
    const held = `another simulator (pid ${ready.pid}) is using ${place().file("other")}`;
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: failure(held, [
        `service-sim stop --url http://127.0.0.1:${ready.port}    stop it, then start again`,
        `${IN_MEMORY}              run a second one in memory`,
      ]),
    });
    const repair = await place().run(`doctor --repair ${OTHER}`);
    expect(repair).toMatchObject({ code: 4 });
    expect(repair.stderr).toContain(
      `next   service-sim stop --url http://127.0.0.1:${ready.port}    then service-sim doctor --repair ${OTHER}\n`,
    );
    // The instance file lets the suggested commands find the simulator.
    const told = await place().run("start --port 0", {
      env: { SERVICE_SIM_STORAGE: "file:other" },
    });
    expect(told.stderr).toContain("next   service-sim stop                       stop it");
    const stop = await place().run(`stop --url http://127.0.0.1:${ready.port}`);
    expect(stop).toMatchObject({ code: 0, stdout: `✓ stopped pid ${ready.pid}\n` });
  });

  test("when it is there already, or damaged", async () => {
    await (await place().start(`${OTHER} --seed 7`)).started.kill();
    const anew = await place().run(`start --port 0 ${OTHER} --seed 8`);
    expect(anew).toMatchObject({ code: 2 });
    expect(anew.stderr).toContain(
      `next   service-sim start ${OTHER}                     continue with that state\n` +
        `       service-sim start ${OTHER} --fresh --seed 8    or move that state aside\n` +
        `       ${IN_MEMORY}                        or run in memory\n`,
    );
    writeFileSync(place().file("other/worlds/sandbox/line-0/journal/1-1"), "garbage\n");
    const damaged = await place().run(`start --port 0 ${OTHER}`);
    expect(damaged).toMatchObject({ code: 4 });
    expect(damaged.stderr).toContain(
      `next   service-sim doctor --repair ${OTHER}    keep these 0 and set the rest aside\n` +
        `       ${IN_MEMORY}                 or run in memory\n`,
    );
    const { checks } = documentOf(await place().run(`doctor ${OTHER} --json`));
    expect(checks[1].next).toBe(
      `service-sim doctor --repair ${OTHER}    keeps those and sets the rest aside`,
    );
  });
});

test.each([
  { address: "a port that is taken", options: async () => `--port ${await takenPort()}` },
  { address: "another machine's address", options: async () => "--port 0 --host 203.0.113.7" },
])("start --fresh on $address leaves the state where it is", async ({ options }) => {
  await (await place().start("--seed 7")).stop();
  const { code } = await place().run(`start --fresh --seed 8 ${await options()}`);
  expect(code).toBe(4);
  expect(readdirSync(place().file(".service-sim"))).not.toContain("old-1");
  const again = await place().start();
  expect((await again.control("GET", "/status")).body).toMatchObject({ seed: "7" });
});

test("an address that is not this machine's exits 4", async () => {
  const { code, stderr } = await place().run("start --host 203.0.113.7 --port 0 --storage memory:");
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: failure(
      "cannot listen on 203.0.113.7:0: " +
        "listen EADDRNOTAVAIL: address not available 203.0.113.7",
      ["service-sim start --host 127.0.0.1 --port 0"],
    ),
  });
});

test.each([
  {
    option: "--seed 8",
    says: "Expected --seed 7, which the state in STATE began with, but found 8",
  },
  {
    option: "--now 2026-01-05T10:00:00Z",
    says:
      "Expected --now 2026-01-05T09:00:00.000Z, which the state in STATE began with, " +
      "but found 2026-01-05T10:00:00.000Z",
  },
  {
    option: "--fixture agent-demo",
    says: "Expected --fixture default, which the state in STATE began with, but found agent-demo",
  },
])("$option on state that began otherwise exits 2 and offers --fresh", async (row) => {
  await (await place().start("--seed 7 --now 2026-01-05T09:00:00Z")).stop();
  const { code, stderr } = await place().run(`start --port 0 ${row.option}`);
  const fresh = `service-sim start --fresh ${row.option}`;
  const width = Math.max(fresh.length, "service-sim start --storage memory:".length) + 4;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: failure(row.says.replace("STATE", place().file(".service-sim")), [
      `${"service-sim start".padEnd(width)}continue with that state`,
      `${fresh.padEnd(width)}or move that state aside`,
      `${"service-sim start --storage memory:".padEnd(width)}or run in memory`,
    ]),
  });
  expect(await place().start()).toBeDefined();
});

test.each([
  { given: "/tmp/payments", meant: "file:/tmp/payments" },
  { given: "./state", meant: "file:./state" },
  { given: "memory", meant: "memory:" },
])("--storage $given is answered with $meant", async ({ given, meant }) => {
  expect(await place().run(`start --storage ${given}`)).toMatchObject({
    code: 2,
    stderr: failure(
      `Expected --storage to be memory:, file:<directory> or postgres://<user>:<password>@<host>:<port>/<database> but found "${given}"`,
      [`service-sim start --storage ${meant}`, ...HELP],
    ),
  });
});

test.each([
  { storage: "file:state", at: "state" },
  { storage: "file:state/deep/er", at: "state" },
  { storage: "memory:", at: ".service-sim" },
  { storage: "file:.service-sim", at: ".service-sim" },
])("with $storage a file where its directory would be exits 4", async ({ storage, at }) => {
  writeFileSync(place().file(at), "");
  const file = place().file(at);
  const other = "service-sim start --storage file:service-sim-state";
  const told = failure(`Expected ${file} to be a directory but found a file`, [
    `${other}    use another directory`,
  ]);
  for (const detach of ["", "--detach"]) {
    const ended = await place().run(`start --port 0 --storage ${storage} ${detach}`);
    expect(ended).toMatchObject({ code: 4, stderr: told });
  }
});
