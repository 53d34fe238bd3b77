import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ACTION,
  authorizationIn,
  checkedOut,
  place,
  REPORT,
  runAction,
} from "./setup/run-action.ts";

test.each([
  { name: "the action", action: ACTION, inputs: 8 },
  { name: "its report", action: REPORT, inputs: 2 },
])(
  "$name is composite, its scripts name a shell, each input is used by name",
  ({ action, inputs }) => {
    const { using, steps } = action.runs;
    expect(using).toBe("composite");
    const scripts = steps.filter(({ run }) => run !== undefined);
    for (const { shell, run } of scripts) {
      expect(shell).toBe("bash");
      expect(run).not.toContain("${{");
    }
    expect(Object.keys(action.inputs)).toHaveLength(inputs);
    const used = JSON.stringify(steps.map((step) => ({ ...step, run: "" })));
    for (const name of Object.keys(action.inputs)) expect(used).toContain(`inputs.${name}`);
    // Expressions are read in descriptions too, where few names are known.
    for (const { description, default: value } of Object.values(action.inputs))
      expect(`${description}${value}`).not.toContain("${{");
  },
);

test("the steps after it have the platform's address and credentials", async () => {
  const { code, printed, variables, outputs } = await runAction();
  expect(code, printed).toBe(0);
  expect(Object.keys(variables)).toEqual([
    "SERVICE_SIM_URL",
    "SERVICE_SIM_API_URL",
    "SERVICE_SIM_CLIENT_ID",
    "SERVICE_SIM_CLIENT_SECRET",
    "SERVICE_SIM_WEBHOOK_PUBLIC_KEY",
    "SERVICE_SIM_WEBHOOK_PUBLIC_KEY_BASE64",
    "SERVICE_SIM_STORAGE",
  ]);
  expect(variables.SERVICE_SIM_WEBHOOK_PUBLIC_KEY).toMatch(/^-+BEGIN PUBLIC KEY-+\n[\s\S]+-+\n?$/);
  const authorization = authorizationIn(variables);
  const reply = await fetch(`${variables.SERVICE_SIM_API_URL}/config`, {
    headers: { authorization },
  });
  expect(reply.status).toBe(200);
  // The secret is printed once, to be masked.
  const secret = `${variables.SERVICE_SIM_CLIENT_SECRET}`;
  expect(secret).toMatch(/^sk_sim_/);
  expect(printed.split("\n").filter((line) => line.includes(secret))).toEqual([
    `::add-mask::${secret}`,
  ]);
  const url = variables.SERVICE_SIM_URL;
  expect(outputs).toMatchObject({ version: VERSION, url, console: `${url}/_sim/console/` });
  expect((await fetch(`${outputs.console}`)).status).toBe(200);
  expect(await place().run("advance 6m", { env: variables })).toMatchObject({ code: 0 });
});

test("inputs are options, and text, whatever they say", async () => {
  const seed = '"; touch ran; $(touch ran)';
  const { variables } = await runAction({
    inputs: {
      fixture: "payouts-demo",
      seed,
      now: "2026-01-05T09:00:00Z",
      clock: "manual",
      "webhook-endpoint": "http://127.0.0.1:9/hooks",
      "auto-approve": "true",
    },
  });
  const { stdout } = await place().run("status --json", { env: variables });
  expect(JSON.parse(stdout)).toMatchObject({
    seed,
    fixture: "payouts-demo",
    clock: { mode: "manual" },
    webhooks: { endpoint: "http://127.0.0.1:9/hooks" },
  });
  expect((await place().shell("ls")).stdout).not.toMatch(/^ran$/m);
  const mode = await place().run("approvals mode --json", { env: variables });
  expect(JSON.parse(mode.stdout)).toMatchObject({ mode: "approve" });
});

test("a start that fails fails the step, with its reason", async () => {
  const { code, printed } = await runAction({ inputs: { now: "yesterday" } });
  expect(code).not.toBe(0);
  expect(printed).toContain('found "yesterday"');
});

const { version: VERSION } = JSON.parse(readFileSync("package.json", "utf8")) as {
  version: string;
};

describe("the package", () => {
  const packages = () => readdirSync(place().file("temp", "service-sim-package"));

  test("is a packed build at a ref that is no release, kept by what it is made of", async () => {
    const first = await runAction();
    expect(first.code, first.printed).toBe(0);
    expect(packages()).toEqual([`service-sim-${VERSION}.tgz`]);
    const [cache, ...others] = first.uses;
    expect(others).toEqual([]);
    expect(cache?.uses).toMatch(/^actions\/cache@[0-9a-f]{40}$/);
    expect(cache?.with).toEqual({
      path: place().file("temp", "service-sim-package"),
      key: expect.stringMatching(/^service-sim-[0-9a-f]{32}$/),
    });
    // The manifest of the checkout is its own again.
    const manifest = JSON.parse(readFileSync(join(checkedOut("main"), "package.json"), "utf8"));
    expect(manifest).toHaveProperty("devDependencies");
    writeFileSync(join(checkedOut("main"), "bin", "more.js"), "");
    const changed = (await runAction()).uses[0]?.with.key;
    expect(changed).toMatch(/^service-sim-/);
    expect(changed).not.toBe(cache?.with.key);
  });

  test("that the cache has is not built again", async () => {
    expect((await runAction()).code).toBe(0);
    rmSync(join(checkedOut("main"), "dist"), { recursive: true });
    rmSync(join(checkedOut("main"), "bin"), { recursive: true });
    // The step before has emptied the folder, which the cache then fills.
    const kept = readFileSync(
      place().file("temp", "service-sim-package", `service-sim-${VERSION}.tgz`),
    );
    const unpack = ACTION.runs.steps.find(({ id }) => id === "program");
    writeFileSync(place().file("temp", "service-sim-package", `service-sim-${VERSION}.tgz`), kept);
    const again = await runAction({
      action: { ...ACTION, runs: { using: "composite", steps: [unpack ?? {}] } },
    });
    expect(again.code, again.printed).toBe(0);
    expect(again.outputs.version).toBe(VERSION);
  });

  /** Releases of a repository as GitHub has them, with one file of the package. */
  const releases = async (sum: (bytes: Buffer) => string) => {
    const bytes = readFileSync(
      place().file("temp", "service-sim-package", `service-sim-${VERSION}.tgz`),
    );
    const base = `/your-organization/service-sim/releases/download/v${VERSION}`;
    const files: Record<string, Buffer | string> = {
      [`${base}/service-sim-${VERSION}.tgz`]: bytes,
      [`${base}/package.sha256`]: `${sum(bytes)}  service-sim-${VERSION}.tgz\n`,
    };
    const asked: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      asked.push(url.replace(base, ""));
      response.writeHead(files[url] === undefined ? 404 : 200).end(files[url]);
    });
    await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    return {
      asked,
      env: { GITHUB_SERVER_URL: `http://127.0.0.1:${port}` },
      end: () => server.close(),
    };
  };

  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

  test.each([
    { what: "at its tag", ref: "v0.1.0" },
    { what: "at a tag that moves on", ref: "v0" },
    { what: "by its version", ref: "main", inputs: { version: VERSION } },
  ])("of a release is taken $what, and nothing is built", async ({ ref, inputs = {} }) => {
    await runAction();
    const { asked, env, end } = await releases(sha256);
    rmSync(join(checkedOut(ref), "dist"), { recursive: true });
    const { code, printed, outputs, uses } = await runAction({ ref, inputs, env });
    end();
    expect(code, printed).toBe(0);
    expect(asked).toEqual([`/service-sim-${VERSION}.tgz`, "/package.sha256"]);
    expect(printed).toContain(
      `service-sim ${VERSION}, as released by your-organization/service-sim`,
    );
    expect({ version: outputs.version, uses }).toEqual({ version: VERSION, uses: [] });
  });

  test("with another hash is not taken", async () => {
    await runAction();
    const { env, end } = await releases(() => "0".repeat(64));
    const { code, printed } = await runAction({ inputs: { version: VERSION }, env });
    end();
    expect(code).toBe(1);
    expect(printed).toContain(`Expected service-sim-${VERSION}.tgz with sha256 0000`);
    expect(printed).toContain(`::error title=service-sim::no release ${VERSION} of your-org`);
    expect(packages()).toEqual([]);
  });

  test("is built at a tag whose release is not there", async () => {
    const { code, printed, outputs } = await runAction({ ref: "v0.1.0" });
    expect(code, printed).toBe(0);
    expect(outputs.version).toBe(VERSION);
  });

  test("of a version that is none is refused before anything is asked for", async () => {
    const { code, printed } = await runAction({ inputs: { version: "../../x;touch ran" } });
    expect(code).toBe(1);
    expect(printed).toContain("no release ../../x;touch ran");
    expect(existsSync(place().file("ran"))).toBe(false);
  });
});

describe("the report", () => {
  const refuse = async (variables: Record<string, string>) => {
    const headers = { authorization: authorizationIn(variables) };
    await fetch(`${variables.SERVICE_SIM_API_URL}/quotes/Quote:a|b`, { headers });
  };

  test("tells what was met, and keeps log and capsules of a job that failed", async () => {
    const { variables } = await runAction({ inputs: { seed: "7", clock: "manual" } });
    await refuse(variables);
    mkdirSync(place().file(".service-sim", "failures"), { recursive: true });
    writeFileSync(place().file(".service-sim", "failures", "t-1.capsule"), "{}");
    const inputs = { "job-status": "failure" };
    const report = await runAction({ action: REPORT, inputs, env: variables });
    expect(report.code, report.printed).toBe(0);
    const rows = report.summary.split("\n").map((line) => line.replace(/req-\S+/, "req"));
    expect(rows[0]).toBe("### service-sim");
    expect(rows[4]).toMatch(/^\| 0\.1\.0 \| 7 \| default \| 20\S+Z \| 0 \| 0 \| 0\.\d % \|$/);
    expect(rows.filter((row) => row.startsWith("| req"))).toEqual([
      "| req | GET /quotes/Quote:a\\|b | 404 |",
    ]);
    const files = `${report.outputs.files}`;
    expect(report.uses).toEqual([
      {
        uses: expect.stringMatching(/^actions\/upload-artifact@[0-9a-f]{40}$/),
        with: { name: "service-sim", path: files, "if-no-files-found": "ignore" },
      },
    ]);
    expect(readdirSync(files).sort()).toEqual(["failures", "run.capsule", "service-sim.log"]);
    const capsule = readFileSync(join(files, "run.capsule"), "utf8");
    expect(capsule).not.toContain(`${variables.SERVICE_SIM_CLIENT_SECRET}`);
    expect(capsule.trimEnd().split("\n").at(-1)).toMatch(/^\{"end":\d+,"requests":/);
    await expect(fetch(`${variables.SERVICE_SIM_URL}/_sim/live`)).rejects.toThrow();
    expect(await place().run(`replay ${join(files, "run.capsule")}`)).toMatchObject({ code: 0 });
  });

  test("uploads nothing of a job that went well", async () => {
    const { variables } = await runAction();
    const inputs = { "job-status": "success" };
    const report = await runAction({ action: REPORT, inputs, env: variables });
    expect({ code: report.code, uses: report.uses }).toEqual({ code: 0, uses: [] });
    expect(report.summary).toContain("### service-sim");
  });

  test("of a simulator that is gone says so, and still keeps its log", async () => {
    const { variables } = await runAction();
    await place().run("stop", { env: variables });
    const inputs = { "job-status": "failure" };
    const report = await runAction({ action: REPORT, inputs, env: variables });
    expect(report.summary).toContain("It no longer answers");
    expect(readdirSync(`${report.outputs.files}`)).toContain("service-sim.log");
  });

  test("of a job that started none warns, and fails nothing", async () => {
    const report = await runAction({ action: REPORT, inputs: { "job-status": "failure" } });
    expect(report.code).toBe(0);
    expect(report.printed).toBe("::warning title=service-sim::nothing was started in this job\n");
  });
});
