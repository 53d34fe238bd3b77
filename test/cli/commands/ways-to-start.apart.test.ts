import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, Workplace } from "../../setup/cli.ts";
import { copyPacked } from "../../setup/installed.ts";
import { managerEnvironment, TARBALL } from "../../setup/packed.ts";

let place: Workplace;

/** npm with a cache of its own, since `npx` leaves what it installs there. */
const npm = (...command: string[]) => ({
  in: (folder: string) => place.spawn(command, { folder, env: managerEnvironment(place) }),
});

const ok = async (started: ReturnType<Workplace["spawn"]>) => {
  const ended = await started.ended;
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
};

beforeAll(async () => {
  place = new Workplace();
  await copyPacked(place);
});

afterAll(() => place.close());

const QUIETLY = ["--no-audit", "--no-fund"];

/** A project with the package. */
const install = async () => {
  const scripts = { sim: "service-sim" };
  const project = { name: "shop", private: true, type: "module", scripts };
  mkdirSync(place.file("shop"));
  writeFileSync(place.file("shop", "package.json"), JSON.stringify(project));
  await ok(npm("npm", "install", "--offline", TARBALL, ...QUIETLY).in("shop"));
};

test("npx of the tarball in an empty folder starts a simulator that answers", async () => {
  const words = ["start", "--port", "0", "--storage", "memory:", "--json"];
  const started = npm("npx", "--yes", TARBALL, ...words).in("empty");
  const ready = JSON.parse((await started.firstLine()) ?? "{}");
  try {
    expect(ready).toMatchObject({ event: "ready" });
    const authorization = `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;
    const response = await fetch(`${ready.apiUrl}/config`, { headers: { authorization } });
    expect(response.status).toBe(200);
  } finally {
    // npx does not pass signals on, so the test stops the simulator by the pid of its ready line.
    if (ready.pid !== undefined) process.kill(ready.pid, "SIGTERM");
  }
  expect(await started.ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\n\{"event":"stopped"\}\n$/),
  });
});

/** Puts a folder in front of `PATH`, as npm does for global programs. */
const withGlobal = () => ({
  PATH: `${place.file("global", "bin")}${delimiter}${process.env.PATH}`,
});

interface Way {
  how: string;
  folder: string;
  /** The words that start it again. */
  words: string;
  called?: string;
  env?: () => object;
  /** npx looks the package up each time: one hint shows the words, which all hints take. */
  isSlow?: boolean;
}

/** Ways to start the program. */
const WAYS: Way[] = [
  { how: "npx of the tarball", folder: "empty", words: `npx --yes ${TARBALL}`, isSlow: true },
  { how: "npx in a project", folder: "shop", words: "npx service-sim", isSlow: true },
  { how: "npx below a project", folder: "shop/src", words: "npx service-sim", isSlow: true },
  {
    how: "a project's own link",
    folder: "shop",
    called: "./node_modules/.bin/service-sim",
    words: "npx service-sim",
  },
  {
    how: "a script of a project",
    folder: "shop",
    called: "npm run --silent sim --",
    words: "npx service-sim",
    isSlow: true,
  },
  { how: "a global install", folder: "empty", words: "service-sim", env: withGlobal },
  {
    how: "a file of Node's",
    folder: "empty",
    words: "node ../global/lib/node_modules/service-sim/bin/service-sim.js",
  },
];

const saidIn = ({ stderr }: Ended) => stderr.split("\n").filter((line) => line !== "");

describe("hints can be pasted as they are printed", () => {
  beforeAll(async () => {
    await install();
    const global = ["--global", "--prefix", place.file("global")];
    await ok(npm("npm", "install", ...global, TARBALL, ...QUIETLY).in("empty"));
  });

  test.each(WAYS)(
    "by $how: $words",
    async ({ folder, words, called = words, env = () => ({}), isSlow = false }) => {
      const run = (line: string) =>
        place.spawn(["sh", "-c", line], {
          folder,
          env: { ...managerEnvironment(place), ...env() },
        }).ended;
      const wrong = await run(`${called} timers --bogus`);
      expect({ code: wrong.code, said: saidIn(wrong) }).toEqual({
        code: 2,
        said: ["error  no option --bogus here", `next   ${words} timers list --help`],
      });
      if (isSlow) return;
      const help = await run(`${words} timers --help`);
      expect({ code: help.code, said: saidIn(help) }).toEqual({ code: 0, said: [] });
      expect(help.stdout).toContain(`\nExamples:\n  ${words} timers list\n`);
      const refused = await run(`${called} status --json`);
      expect(refused.code).toBe(3);
      expect(JSON.parse(refused.stdout).error.next).toEqual([`${words} start`]);
    },
  );
});
