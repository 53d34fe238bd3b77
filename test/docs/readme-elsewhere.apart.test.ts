import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { copyPacked } from "../setup/installed.ts";
import { installWith, ours, TARBALL } from "../setup/packed.ts";
import { blockWith } from "./setup/doc-blocks.ts";
import {
  expectFirstMinute,
  FIRST_MINUTE,
  PAGE,
  PROJECT,
  testProject,
} from "./setup/readme-project.ts";

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await copyPacked(place);
});

afterAll(() => place.close());

test("five typed lines lead from a checkout to the first accepted webhook", async () => {
  const lines = blockWith(PAGE, FIRST_MINUTE).trim().split("\n");
  expect(lines).toHaveLength(5);
  // The folder of the package stands for a checkout after `npm ci`, which CI itself runs.
  mkdirSync(place.file("checkout"));
  const unpack = ["tar", "-xzf", TARBALL, "--strip-components", "1"];
  expect(await place.spawn(unpack, { folder: "checkout" }).ended).toMatchObject({ code: 0 });
  await expectFirstMinute({ place, folder: "checkout", npx: "npm" }, lines);
});

const VITEST = `
import { expect, test } from "vitest";
test("the simulator of the run answers", async () => {
  const { SERVICE_SIM_API_URL, SERVICE_SIM_AUTH } = process.env;
  const headers = { authorization: SERVICE_SIM_AUTH ?? "" };
  expect((await fetch(SERVICE_SIM_API_URL + "/config", { headers })).status).toBe(200);
});
`;

// pnpm links packages in its own way, which is the same for each command: the lines that start a
// simulator stand for the others.
describe("in a project of pnpm", () => {
  beforeAll(() => installWith(place, "pnpm", { name: "shop", private: true, ...PROJECT }));

  testProject(() => ({ place, folder: "pnpm", npx: "npm" }), {
    lines: [blockWith(PAGE, FIRST_MINUTE)],
    prints: [],
    libraries: ["library.mjs"],
  });

  // test/library/vitest-suite.system.test.ts has vitest in a project of npm.
  test("the set-up for vitest has one simulator", async () => {
    const link = place.file("pnpm", "node_modules", "vitest");
    symlinkSync(dirname(ours("vitest", "package.json")), link);
    for (const name of ["vitest.config.ts", "simulator.ts"])
      writeFileSync(place.file("pnpm", name), blockWith(PAGE, `// ${name}`));
    writeFileSync(place.file("pnpm", "shop.test.ts"), VITEST);
    const command = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
    const { code, stdout, stderr } = await place.spawn(command, { folder: "pnpm" }).ended;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/1 passed/);
  });
});
