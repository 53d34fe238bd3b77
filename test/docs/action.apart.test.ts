import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { placePerTest } from "../cli/setup/place-per-test.ts";

const place = placePerTest();

const { load } = createRequire(import.meta.url)("js-yaml") as { load: (text: string) => unknown };

interface Step {
  run: string;
  shell: string;
  env?: Record<string, string>;
}

interface Action {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

const ACTION = load(readFileSync("action.yml", "utf8")) as Action;

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Variables as a runner reads them from `GITHUB_ENV`: `name<<end`, lines, `end`. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^(\w+)<<(.+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  );

/** Variables of simulators that outlive the action. */
const detached: Record<string, string>[] = [];

afterEach(async () => {
  for (const env of detached.splice(0)) await place().run("stop", { env });
});

/** Results of the action's steps. */
interface Run {
  code: number | null;
  printed: string;
  variables: Record<string, string>;
  output: string;
}

/** Runs the action's steps as a runner does. */
const runAction = async (inputs: Record<string, string> = {}): Promise<Run> => {
  const defaults = Object.entries(ACTION.inputs).map(([name, one]) => [name, one.default]);
  const given: Record<string, string> = { ...Object.fromEntries(defaults), ...inputs };
  mkdirSync(place().file("temp"));
  const files = { GITHUB_ENV: "env", GITHUB_PATH: "path", GITHUB_OUTPUT: "output" };
  for (const name of Object.values(files)) writeFileSync(place().file(name), "");
  const fileOf = (name: string) => readFileSync(place().file(name), "utf8");
  let printed = "";
  for (const step of ACTION.runs.steps) {
    const env = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => `${given[input]}`),
    ]);
    writeFileSync(place().file("step.sh"), step.run);
    const { code, stdout, stderr } = await place().spawn(
      ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"],
      {
        env: {
          ...Object.fromEntries(env),
          ...Object.fromEntries(
            Object.entries(files).map(([name, file]) => [name, place().file(file)]),
          ),
          GITHUB_ACTION_PATH: ROOT,
          RUNNER_TEMP: place().file("temp"),
          PATH: [...fileOf("path").split("\n").filter(Boolean), process.env.PATH].join(":"),
        },
      },
    ).ended;
    printed += stdout + stderr;
    if (code !== 0) return { code, printed, variables: {}, output: "" };
  }
  const variables = variablesIn(fileOf("env"));
  detached.push(variables);
  return { code: 0, printed, variables, output: fileOf("output") };
};

const authorizationIn = (variables: Record<string, string>) =>
  `Basic ${btoa(`${variables.SERVICE_SIM_CLIENT_ID}:${variables.SERVICE_SIM_CLIENT_SECRET}`)}`;

test("it is composite, each step names its shell, each input is used by name", () => {
  expect(ACTION.runs.using).toBe("composite");
  expect(ACTION.runs.steps.map(({ shell }) => shell)).toEqual(["bash", "bash"]);
  expect(Object.keys(ACTION.inputs)).toEqual([
    "fixture",
    "seed",
    "now",
    "clock",
    "port",
    "webhook-endpoint",
    "auto-approve",
  ]);
  const env = Object.values(ACTION.runs.steps[1]?.env ?? {}).join(" ");
  for (const name of Object.keys(ACTION.inputs)) expect(env).toContain(`\${{ inputs.${name} }}`);
  for (const { run } of ACTION.runs.steps) expect(run).not.toContain("${{");
});

test("the steps after it have the platform's address and credentials", async () => {
  const { code, printed, variables, output } = await runAction();
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
  expect(output).toContain(`url=${variables.SERVICE_SIM_URL}\n`);
  expect(await place().run("advance 6m", { env: variables })).toMatchObject({ code: 0 });
});

test("inputs are options, and text, whatever they say", async () => {
  const seed = '"; touch ran; $(touch ran)';
  const { variables } = await runAction({
    fixture: "payouts-demo",
    seed,
    now: "2026-01-05T09:00:00Z",
    clock: "manual",
    "webhook-endpoint": "http://127.0.0.1:9/hooks",
    "auto-approve": "true",
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
  const { code, printed } = await runAction({ now: "yesterday" });
  expect(code).not.toBe(0);
  expect(printed).toContain('found "yesterday"');
});
