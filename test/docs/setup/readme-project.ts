import { writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Ended, Workplace } from "../../setup/cli.ts";
import { managerEnvironment, ours } from "../../setup/packed.ts";
import { blockWith } from "./doc-blocks.ts";
import { freePort, prelude, TEST_PROGRAM } from "./page-script.ts";

export const PAGE = "README.md";

const GETTING_STARTED = "src/docs/guide/getting-started.md";

/** The lines that the README leads to first. */
export const firstMinute = () => blockWith(GETTING_STARTED, "service-sim webhooks trigger");

/** The environment of a person's terminal, with ports that nobody else has. */
const terminal = (place: Workplace, port: number) => ({
  ...managerEnvironment(place),
  SERVICE_SIM_PORT: "0",
  RECEIVER_PORT: String(port),
});

/** Meanings of `npx` in a run of lines: npm's own, or the program that it looks up. */
const NPX = {
  npm: "command npx",
  program: "from_project",
};

const FROM_PROJECT = 'from_project() { local name="$1"; shift; "node_modules/.bin/$name" "$@"; }';

/** A folder of a place, and the meaning of `npx` in the lines that run there. */
export interface Terminal {
  place: Workplace;
  folder: string;
  npx: keyof typeof NPX;
}

/** Runs lines as they are printed. Stops the simulator whatever came of them. */
const type = async ({ place, folder, npx }: Terminal, lines: readonly string[]): Promise<Ended> => {
  const port = await freePort();
  const env = terminal(place, port);
  const script = [FROM_PROJECT, prelude(NPX[npx]), ...lines]
    .join("\n")
    .replaceAll("3000", String(port));
  writeFileSync(place.file(folder, "script.sh"), script);
  const ended = await place.spawn(["bash", "-euo", "pipefail", "script.sh"], { folder, env }).ended;
  await place.run("stop", { folder, env });
  return ended;
};

/** The line of `exec` about coverage goes to stderr too. */
const withoutCoverage = (stderr: string) =>
  stderr.replace(/^note {3}coverage[\s\S]*?approvals \d+\/\d+\n/m, "");

const DETACHED = "note   logs: .service-sim/service-sim.log; stop it with npx service-sim stop\n";
const TRIGGERED = /OUTGOING_PAYMENT\.COMPLETED +✓ 200, verified/;
const LISTED = /^\S+ +Webhook:\S+ +OUTGOING_PAYMENT\.COMPLETED +✓ 200/m;

/** Runs lines, which have to end with an accepted webhook and a simulator that stays. */
export const expectFirstMinute = async (at: Terminal, lines: readonly string[]) => {
  const { code, stdout, stderr } = await type(at, [...lines, "npx service-sim webhooks list"]);
  expect({ code, stderr: withoutCoverage(stderr) }, stdout).toEqual({ code: 0, stderr: DETACHED });
  expect(stdout).toMatch(TRIGGERED);
  expect(stdout).toMatch(LISTED);
  return stdout;
};

/** The ports and durations of a printed demo, which each run has for itself. */
const withoutChance = (text: string) =>
  text.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:0").replace(/in \d+ ms/, "in 0 ms");

export const PROJECT = { type: "module", scripts: { test: "node test.mjs" } };

/** Tests of a project that has the package: its lines of shell, the demo and the library. */
export const testProject = (
  terminalHere: () => Terminal,
  { lines, prints, libraries }: Record<"lines" | "prints" | "libraries", readonly string[]>,
) => {
  beforeAll(() => {
    const { place, folder } = terminalHere();
    writeFileSync(place.file(folder, "test.mjs"), TEST_PROGRAM);
  });

  test("the lines of shell run as printed", async () => {
    const stdout = await expectFirstMinute(terminalHere(), lines);
    for (const text of prints) expect(stdout).toContain(text);
  });

  test.each([PAGE, GETTING_STARTED])("the demo prints what %s shows", async (page) => {
    const { place, folder } = terminalHere();
    const [command = "", ...shown] = blockWith(page, "$ npx service-sim demo").split("\n");
    const words = command.replace("$ ", "").split(" ");
    const ended = await place.spawn(words, { folder, env: terminal(place, 0) }).ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(withoutChance(ended.stdout)).toBe(withoutChance(shown.join("\n")));
  });

  test.each(libraries)("the library runs in %s", async (name) => {
    const { place, folder } = terminalHere();
    const block = blockWith("src/docs/guide/tests-and-ci.md", "const reply = await sim.fetch");
    writeFileSync(place.file(folder, name), `${block}console.log(reply.status);\n`);
    const loader = name.endsWith(".ts") ? [ours("tsx", "dist", "cli.mjs")] : [];
    const ended = await place.spawn([process.execPath, ...loader, name], { folder }).ended;
    expect(ended).toMatchObject({ code: 0, stdout: "200\n", stderr: "" });
  });
};
