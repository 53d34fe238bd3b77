import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf, type RunningCli } from "../../setup/cli.ts";
import { sendSlowPayment } from "../setup/slow-payment.ts";
import { Workbench } from "../setup/workbench.ts";

let place: Workbench;
let simulator: RunningCli;
let payment: { id: string; transactionId: string };

beforeAll(async () => {
  place = new Workbench();
  simulator = await place.start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
  payment = await sendSlowPayment(simulator);
});

afterAll(() => place.close());

const EMPTY = { folder: "empty" };
const NEXT_START = "next   service-sim start\n";

describe("without a simulator", () => {
  test.each(["status", "env", "advance 6m", "clock", "timers"])(
    "%s exits 3 and says how to start one",
    async (words) => {
      expect(await place.run(words, EMPTY)).toEqual({
        code: 3,
        signal: null,
        stdout: "",
        stderr: `error  no simulator is running (.service-sim)\n${NEXT_START}`,
      });
      const ended = await place.run(`${words} --json`, EMPTY);
      expect(ended.code).toBe(3);
      expect(documentOf(ended).error).toMatchObject({ code: "NOT_RUNNING", exitCode: 3 });
    },
  );

  test("a simulator that was killed is none", async () => {
    const killed = await place.startProcess("", { folder: "killed" });
    await killed.stop("SIGKILL");
    const { code, stderr } = await place.run("status", { folder: "killed" });
    const url = `http://127.0.0.1:${killed.ready.port}`;
    expect(code).toBe(3);
    expect(stderr).toContain(`is running (${url}: connect ECONNREFUSED 127.0.0.1:`);
  });
});

describe("finding it", () => {
  test("--url is asked, also with a slash at its end", async () => {
    const url = `http://127.0.0.1:${simulator.ready.port}`;
    for (const given of [url, `${url}/`]) {
      const ended = await place.run(`status --json --url ${given}`, EMPTY);
      expect(documentOf(ended)).toMatchObject({ pid: simulator.ready.pid });
    }
  });

  test("SERVICE_SIM_URL is asked before the folder's own, and --url before it", async () => {
    const own = await place.start("--storage memory:", { folder: "own" });
    const env = { SERVICE_SIM_URL: `http://127.0.0.1:${simulator.ready.port}` };
    const pidOf = async (words: string, given = {}) =>
      documentOf(await place.run(`status --json ${words}`, { folder: "own", ...given })).pid;
    expect(await pidOf("")).toBe(own.ready.pid);
    expect(await pidOf("", { env })).toBe(simulator.ready.pid);
    expect(await pidOf(`--url http://127.0.0.1:${own.ready.port}`, { env })).toBe(own.ready.pid);
  });

  test.each(["/", "/2025-10-13", "/2025-10-13/", "/_sim"])(
    "--url takes an address that a start prints: …%s",
    async (path) => {
      const { pid, port } = simulator.ready;
      const ended = await place.run(`status --json --url http://127.0.0.1:${port}${path}`);
      expect(documentOf(ended)).toMatchObject({ pid });
    },
  );

  test("SERVICE_SIM_STORAGE names the folder to look in", async () => {
    const env = { SERVICE_SIM_STORAGE: "file:elsewhere" };
    const { ready } = await place.start("", { folder: "named", env });
    const ended = await place.run("status --json", { folder: "named", env });
    expect(documentOf(ended)).toMatchObject({ pid: ready.pid });
    expect(await place.run("status", { folder: "named" })).toMatchObject({ code: 3 });
  });

  test.each(["nonsense", "localhost:4747", "ftp://127.0.0.1:4747"])(
    "--url %s is no origin: exit 2",
    async (url) => {
      const { code, stderr } = await place.run(`status --url ${url}`);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr:
          `error  Expected --url to be an origin like http://127.0.0.1:4747 but found "${url}"\n` +
          "next   service-sim status\n",
      });
    },
  );
});

describe("what they print", () => {
  test("status", async () => {
    const { code, stdout, stderr } = await place.run("status");
    const { pid, port } = simulator.ready;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const settled = stdout
      .replace(/up \S+ \(real time\)/, "up 2s (real time)")
      .replace(/[0-9]+ changes, journal [0-9]+ KiB/, "9 changes, journal 9 KiB")
      .replace(/(signed with key) [0-9a-f]{8}$/m, "$1 5d0a91c7");
    expect(settled.split("\n")).toEqual([
      `✓ running   0.1.0, pid ${pid}, up 2s (real time), http://127.0.0.1:${port}`,
      `console     http://127.0.0.1:${port}/_sim/console/`,
      `docs        http://127.0.0.1:${port}/_sim/docs`,
      "world       sandbox, seed 7, fixture default",
      "clock       2026-01-05 09:00:00Z, frozen, moves only with advance",
      "settings    crypto both, wallet-credential none, approvals ask",
      "            card-events lower, codes fixed, webhook-signature base64",
      "            client-id sandbox, oidc-issuer none, sandbox-uma-domain sandbox.uma.test",
      "state       file:.service-sim, 9 changes, journal 9 KiB, fsync off",
      "ledger      balanced: USD",
      "waiting     1 timer, payment.settle in 6m",
      "webhooks    no endpoint, 4 not sent",
      "            service-sim webhooks list              the stored events",
      "            service-sim webhooks endpoint <url>    sends events there",
      "            signed with key 5d0a91c7",
      "",
    ]);
  });

  test("clock", async () => {
    const { stdout } = await place.run("clock");
    expect(stdout).toBe(
      "2026-01-05 09:00:00Z  frozen, moves only with advance\n" +
        `next  payment.settle ${payment.transactionId} in 6m\n`,
    );
  });

  test("timers", async () => {
    const { stdout } = await place.run("timers");
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["DUE", "IN", "TIMER", "SUBJECT", "THEN"],
      ["09:06:00", "6m", "payment.settle", payment.transactionId, "COMPLETED, quotedPayment.003"],
      [""],
    ]);
  });

  test("outcomes, also without a simulator", async () => {
    const { stdout } = await place.run("outcomes", EMPTY);
    expect(stdout).toContain("\n  003    completes after about 6 minutes ");
  });

  test("openapi, also without a simulator", async () => {
    const { body } = await simulator.control("GET", "/openapi.json");
    expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    expect(documentOf(await place.run("openapi --json", EMPTY))).toEqual(body);
  });

  test("openapi into a reader that has read enough is no failure", async () => {
    const { code, stdout, stderr } = await place.shell("service-sim openapi | head -n 1");
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "{\n", stderr: "" });
  });
});

describe("with --json they print the control surface's reply and nothing else", () => {
  test.each([
    { words: "clock", path: "/clock" },
    { words: "timers", path: "/timers" },
    { words: "outcomes", path: "/outcomes" },
  ])("$words", async ({ words, path }) => {
    const ended = await place.run(`${words} --json`);
    const { body } = await simulator.control("GET", path);
    const drifting = { aheadMs: expect.any(Number) };
    expect(documentOf(ended)).toEqual({ ...body, ...("aheadMs" in body && drifting) });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
  });

  test("status", async () => {
    const ended = await place.run("status --json");
    const { body } = await simulator.control("GET", "/status");
    const { pid, seed, now, storage, ledger, timers } = body;
    expect(documentOf(ended)).toMatchObject({ pid, seed, now, storage, ledger, timers });
    expect(Object.keys(documentOf(ended))).toEqual(Object.keys(body));
  });
});

test.each([
  { words: "bogus", sentence: 'no command "bogus"', next: "--help" },
  {
    words: "statsu",
    sentence: 'no command "statsu"',
    next: "--help    did you mean status?",
  },
  {
    words: "status --bogus",
    sentence: "no option --bogus here",
    next: "status --help",
  },
  {
    words: "status --jsno",
    sentence: "no option --jsno here",
    next: "status --help    did you mean --json?",
  },
  {
    words: "timers all",
    sentence: 'Expected nothing after timers list but found "all"',
    next: "timers list --help",
  },
  {
    words: "webhooks list --type TSET",
    sentence:
      "Expected --type to be one of 45 values " +
      '(closest: TEST; service-sim webhooks trigger prints all) but found "TSET"',
    next: "webhooks list --help",
  },
  {
    words: "webhooks list --state ACEPTED",
    sentence:
      "Expected --state to be one of WAITING, HELD, RETRYING, ACCEPTED, GIVEN_UP, UNDELIVERABLE, DROPPED, " +
      'FORKED (closest: ACCEPTED) but found "ACEPTED"',
    next: "webhooks list --help",
  },
  {
    words: "webhooks vector wrong-kye",
    sentence:
      "Expected one of wrong-key, tampered-body, old-key, duplicate, reordered, delayed, dropped " +
      '(closest: wrong-key) but found "wrong-kye"',
    next: "webhooks vector    describes each one",
  },
  {
    words: "webhooks trigger OUTGOING_PAYMENT.COMPLETE",
    sentence: 'no event type "OUTGOING_PAYMENT.COMPLETE"',
    next:
      "webhooks trigger OUTGOING_PAYMENT.COMPLETED\n" +
      "       service-sim webhooks trigger    lists the types",
  },
  {
    words: "--color status",
    sentence: 'Expected --color to be one of auto, always, never but found "status"',
    next: "--help",
  },
  {
    words: "--jsn status",
    sentence: "no option --jsn here",
    next: "--help    did you mean --json?",
  },
  {
    words: "clock back",
    sentence: 'Expected freeze, run, auto or a speed like 60x but found "back"',
    next: "clock freeze",
  },
  {
    words: "status --color pink",
    sentence: 'Expected --color to be one of auto, always, never but found "pink"',
    next: "status --help",
  },
])("$words exits 2 and says what was expected", async ({ words, sentence, next }) => {
  expect(await place.run(words)).toEqual({
    code: 2,
    signal: null,
    stdout: "",
    stderr: `error  ${sentence}\nnext   service-sim ${next}\n`,
  });
});
