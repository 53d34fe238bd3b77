import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { placePerTest } from "../../cli/setup/place-per-test.ts";
import { PARTS } from "../../setup/packed.ts";

export const place = placePerTest();

const { load } = createRequire(import.meta.url)("js-yaml") as { load: (text: string) => unknown };

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}

interface Action {
  inputs: Record<string, { description: string; default?: string; required?: boolean }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

const actionIn = (file: string) => load(readFileSync(file, "utf8")) as Action;

export const ACTION = actionIn("action.yml");
export const REPORT = actionIn("report/action.yml");

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Values as a runner reads them from its files: `name=value`, or `name<<end`, lines, `end`. */
const valuesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([\w-]+)(?:=(.*)|<<(.+)\n([\s\S]*?)\n\3)$/gm)].map(
      ([, name, value, , lines]) => [name, value ?? lines],
    ),
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
  /** Outputs of all steps. */
  outputs: Record<string, string>;
  /** Actions that a runner would use, with what they would be given. */
  uses: { uses: string; with: Record<string, string> }[];
  summary: string;
}

interface Given {
  action?: Action;
  inputs?: Record<string, string>;
  /** Ref in `uses`. */
  ref?: string;
  env?: Record<string, string>;
}

const FILES = ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"];

/** Puts the files of the package where a runner has those of an action. */
export const checkedOut = (ref: string) => {
  const folder = place().file("_actions", "your-organization", "service-sim", ref);
  if (!existsSync(folder))
    for (const part of [...PARTS, "report"])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  return folder;
};

/** Runs the action's steps as a runner does, but those that use another action. */
export const runAction = async ({
  action = ACTION,
  inputs = {},
  ref = "main",
  env = {},
}: Given = {}): Promise<Run> => {
  const defaults = Object.entries(action.inputs).map(([name, one]) => [name, one.default ?? ""]);
  const given: Record<string, string> = { ...Object.fromEntries(defaults), ...inputs };
  mkdirSync(place().file("temp"), { recursive: true });
  for (const name of FILES) writeFileSync(place().file(name), "");
  const fileOf = (name: string) => readFileSync(place().file(name), "utf8");
  const meantBy = (name: string): string => {
    const input = /^inputs\.([\w-]+)$/.exec(name)?.[1];
    if (input !== undefined) return given[input] ?? "";
    const output = /^steps\.\w+\.outputs\.(\w+)$/.exec(name)?.[1];
    if (output !== undefined) return valuesIn(fileOf("GITHUB_OUTPUT"))[output] ?? "";
    if (name === "runner.temp") return place().file("temp");
    throw new Error(`Expected no expression ${name}`);
  };
  const filled = (texts: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        `${text}`.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, wanted: string) => meantBy(wanted)),
      ]),
    );
  const isWanted = (condition = "") =>
    condition.split(" && ").every((one) => {
      const [, name = "", comparison, value] = /^([\w.-]+) (==|!=) '(\w*)'$/.exec(one) ?? [];
      return condition === "" || (meantBy(name) === value) === (comparison === "==");
    });
  const path = checkedOut(ref);
  const run: Run = { code: 0, printed: "", variables: {}, outputs: {}, uses: [], summary: "" };
  for (const step of action.runs.steps) {
    if (!isWanted(step.if)) continue;
    if (step.uses !== undefined) {
      run.uses.push({ uses: step.uses, with: filled(step.with) });
      continue;
    }
    writeFileSync(place().file("step.sh"), step.run ?? "");
    const { code, stdout, stderr } = await place().spawn(
      ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"],
      {
        env: {
          ...filled(step.env),
          ...Object.fromEntries(FILES.map((name) => [name, place().file(name)])),
          GITHUB_ACTION_PATH: action === REPORT ? join(path, "report") : path,
          GITHUB_REPOSITORY: "shop/shop",
          GITHUB_SERVER_URL: "http://127.0.0.1:9",
          RUNNER_TEMP: place().file("temp"),
          ...env,
          PATH: [...added(), process.env.PATH].join(":"),
        },
      },
    ).ended;
    writeFileSync(
      place().file("added"),
      [...added(), ...linesOf(fileOf("GITHUB_PATH"))].join("\n"),
    );
    run.code = code;
    run.printed += stdout + stderr;
    if (code !== 0) return run;
  }
  run.variables = valuesIn(fileOf("GITHUB_ENV"));
  run.outputs = valuesIn(fileOf("GITHUB_OUTPUT"));
  run.summary = fileOf("GITHUB_STEP_SUMMARY");
  if (run.variables.SERVICE_SIM_URL !== undefined) detached.push(run.variables);
  return run;
};

const linesOf = (text: string) => text.split("\n").filter(Boolean);

/** Folders that earlier steps have added to the path of the job. */
const added = () =>
  existsSync(place().file("added")) ? linesOf(readFileSync(place().file("added"), "utf8")) : [];

export const authorizationIn = (variables: Record<string, string>) =>
  `Basic ${btoa(`${variables.SERVICE_SIM_CLIENT_ID}:${variables.SERVICE_SIM_CLIENT_SECRET}`)}`;
