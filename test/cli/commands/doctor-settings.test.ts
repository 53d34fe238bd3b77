import { writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();
const FREE = { SERVICE_SIM_PORT: "0" };

const checksOf = (stdout: string) => stdout.slice(0, stdout.indexOf("\n\n")).split("\n");

const doctor = async (words = "doctor") => {
  const { code, stdout, stderr } = await place().run(words, { env: FREE });
  return { code, checks: checksOf(stdout), stderr };
};

describe("the settings", () => {
  const optionsIn = (stdout: string) =>
    stdout
      .slice(stdout.indexOf("OPTION"))
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/))
      .filter(([option]) => option === "OPTION" || option === "seed" || option === "clientSecret");

  const FILE = '{"seed":"file"}';

  test.each([
    { file: FILE, env: {}, flag: "", seed: ["file", "service-sim.config.json"] },
    {
      file: FILE,
      env: { SERVICE_SIM_SEED: "env" },
      flag: "",
      seed: ["env", "SERVICE_SIM_SEED"],
    },
    { file: FILE, env: {}, flag: " --seed flag", seed: ["flag", "flag"] },
    {
      file: FILE,
      env: { SERVICE_SIM_SEED: "env" },
      flag: " --seed flag",
      seed: ["flag", "flag"],
    },
  ])("seed, given by $file, $env and '$flag', is $seed", async ({ file, env, flag, seed }) => {
    writeFileSync(place().file("service-sim.config.json"), file);
    const { code, stdout } = await place().run(`doctor${flag}`, { env: { ...FREE, ...env } });
    expect({ code, options: optionsIn(stdout) }).toEqual({
      code: 0,
      options: [
        ["OPTION", "VALUE", "FROM"],
        ["seed", ...seed],
      ],
    });
  });

  test("are whole in --json, with the file that was read", async () => {
    writeFileSync(place().file("service-sim.config.json"), '{"seed":7,"clock":"manual"}');
    const env = { ...FREE, SERVICE_SIM_SEED: "8" };
    const { settings, configFile } = documentOf(await place().run("doctor --json", { env }));
    expect(configFile).toBe("service-sim.config.json");
    expect(settings).toEqual([
      { option: "port", value: "0", from: "env", variable: "SERVICE_SIM_PORT" },
      { option: "host", value: "127.0.0.1", from: "default", variable: "SERVICE_SIM_HOST" },
      {
        option: "storage",
        value: "file:.service-sim",
        from: "default",
        variable: "SERVICE_SIM_STORAGE",
      },
      { option: "seed", value: "8", from: "env", variable: "SERVICE_SIM_SEED" },
      { option: "clock", value: "manual", from: "config", variable: "SERVICE_SIM_CLOCK" },
    ]);
  });

  test("do not show a secret, wherever it comes from", async () => {
    const { stdout } = await place().run("doctor --client-secret sk_sim_hidden", { env: FREE });
    expect(stdout).not.toContain("sk_sim_hidden");
    expect(optionsIn(stdout)).toContainEqual(["clientSecret", "(a secret)", "flag"]);
    const json = await place().run("doctor --client-secret sk_sim_hidden --json", { env: FREE });
    expect(json.stdout).not.toContain("sk_sim_hidden");
  });

  test.each([
    {
      given: "--port abc",
      found: 'Expected --port to be a whole number up to 65535 or auto but found "abc"',
    },
    {
      given: "--storage here",
      found:
        'Expected --storage to be memory:, file:<directory> or postgres://<user>:<password>@<host>:<port>/<database> but found "here"',
    },
    {
      given: "--now today",
      found: 'Expected --now to be an instant like 2026-01-05T09:00:00Z but found "today"',
    },
    {
      given: "--webhook-endpoint localhost",
      found: 'Expected --webhook-endpoint to be an http or https URL but found "localhost"',
    },
    {
      given: "--webhook-key none.pem",
      found: "--webhook-key: cannot read the PEM file none.pem: no such file",
    },
    {
      given: "--fixture nowhere",
      found:
        '--fixture: Expected a world bundled with the package (agent-demo, cards-demo, default, empty, payouts-demo, wallet-demo) but found "nowhere"',
    },
  ])("that no start would take are told: $given", async ({ given, found }) => {
    const { code, checks } = await doctor(`doctor ${given}`);
    expect({ code, settings: checks.filter((line) => line.includes(" settings  ")) }).toEqual({
      code: 1,
      settings: [`✗ settings  ${found}`],
    });
    const started = await place().run(`start --port 0 --storage memory: ${given}`);
    expect(started).toMatchObject({ code: 2, stderr: expect.stringContaining(found) });
  });

  test("with a fixture whose steps call a receiver are tried without calling it", async () => {
    const receiver = await new Receiver().start();
    onTestFinished(() => receiver.stop());
    const given = `--fixture payouts-demo --webhook-endpoint ${receiver.url}`;
    expect(await doctor(`doctor ${given}`)).toMatchObject({ code: 0 });
    expect(receiver.types()).toEqual([]);
  });
});
