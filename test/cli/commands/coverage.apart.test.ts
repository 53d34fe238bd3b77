import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

/** Calls one operation of the simulator that `exec` has started. */
const calling = (path: string) => `
  const { SERVICE_SIM_API_URL: apiUrl } = process.env;
  const { SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } = process.env;
  await fetch(apiUrl + "${path}", { headers: { authorization: "Basic " + btoa(id + ":" + secret) } });
`;

const exec = (path: string, options: readonly string[] = []) =>
  place().run(["exec", ...options, "--", process.execPath, "-e", calling(path)]);

test("exec ends with a line of what its command has met, but not with --quiet", async () => {
  const { code, stdout, stderr } = await exec("/config");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
    /^note coverage 0\.5 %, 2 of \d+ items: operations 1\/103, statuses 1\/\d+, errors 0\/\d+, .*, approvals 0\/7 $/,
  );
  expect((await exec("/config", ["--quiet"])).stderr).toBe("");
});

test("processes leave their counts in a folder, and the command adds them up", async () => {
  const env = { SERVICE_SIM_COVERAGE_DIR: join(place().path, "met") };
  const run = (path: string) =>
    place().run(["exec", "--quiet", "--", process.execPath, "-e", calling(path)], { env });
  await Promise.all([run("/config"), run("/customers")]);
  expect(readdirSync(env.SERVICE_SIM_COVERAGE_DIR)).toHaveLength(2);
  const { code, stdout, stderr } = await place().run(["coverage", "--dir", "met", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { groups } = JSON.parse(stdout);
  expect(groups[0]).toMatchObject({ name: "operations", met: 2 });
});

test("a process that exits without closing its simulator leaves the counts too", async () => {
  const library = join(process.cwd(), "dist", "simulator.cjs");
  const program = `
    const { createSimulator } = require(${JSON.stringify(library)});
    createSimulator().then(async (sim) => {
      const authorization = "Basic " + btoa(sim.clientId + ":" + sim.clientSecret);
      await sim.fetch(new Request(sim.apiUrl + "/config", { headers: { authorization } }));
      process.exit(0);
    });`;
  const env = { ...process.env, SERVICE_SIM_COVERAGE_DIR: join(place().path, "met") };
  execFileSync(process.execPath, ["-e", program], { env });
  const { code, stdout } = await place().run(["coverage", "--dir", "met", "--quiet"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "0.5\n" });
});
