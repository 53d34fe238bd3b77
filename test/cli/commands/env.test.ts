import { describe, expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const expected = async () => {
  const { ready, control } = await place().start();
  const pem = (await control("GET", "/webhooks/key")).body as string;
  return {
    SERVICE_SIM_URL: `http://127.0.0.1:${ready.port}`,
    SERVICE_SIM_API_URL: ready.apiUrl,
    SERVICE_SIM_CLIENT_ID: "sandbox",
    SERVICE_SIM_CLIENT_SECRET: ready.clientSecret,
    SERVICE_SIM_WEBHOOK_PUBLIC_KEY: pem,
    SERVICE_SIM_WEBHOOK_PUBLIC_KEY_BASE64: pem.split("\n").slice(1, -2).join(""),
  };
};

test("a shell that evaluates it has all that a program needs", async () => {
  const environment = await expected();
  const print = `"${process.execPath}" -p 'JSON.stringify(process.env)'`;
  const { code, stdout } = await place().shell(`eval "$(service-sim env)"; ${print}`);
  expect(code).toBe(0);
  const set = Object.entries(JSON.parse(stdout));
  const ours = set.filter(([name]) => name.startsWith("SERVICE_SIM_"));
  expect(Object.fromEntries(ours)).toEqual(environment);
});

test("an eval without quotes breaks the lines of the PEM, and nothing else", async () => {
  const environment = await expected();
  const print = `"${process.execPath}" -p 'JSON.stringify(process.env)'`;
  const { stdout } = await place().shell(`eval $(service-sim env); ${print}`);
  const { SERVICE_SIM_WEBHOOK_PUBLIC_KEY: _broken, ...whole } = environment;
  expect(JSON.parse(stdout)).toMatchObject(whole);
});

test("--json prints the same as one document", async () => {
  const environment = await expected();
  expect(documentOf(await place().run("env --json"))).toEqual(environment);
});

test("of a fork it prints the client id and the name, so that every tool means that world", async () => {
  const environment = await expected();
  await place().run("worlds create checkout-7");
  const { stdout } = await place().shell(
    'eval "$(service-sim env --world checkout-7)"; service-sim env --json; service-sim status --json',
  );
  const [printed, status] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(printed).toEqual({
    ...environment,
    SERVICE_SIM_CLIENT_ID: "sandbox+checkout-7",
    SERVICE_SIM_WORLD: "checkout-7",
  });
  expect(status.world).toBe("checkout-7");
  await place().run("worlds remove checkout-7");
  const env = { SERVICE_SIM_WORLD: "checkout-7" };
  expect((await place().run("status", { env })).stderr).toMatch(
    / unset SERVICE_SIM_WORLD {4}returns to the default world\n$/,
  );
});

test("a hint means the world that was typed", async () => {
  await expected();
  await place().run("worlds create checkout-7");
  const { stdout } = await place().run("snapshot save paid --world checkout-7");
  expect(stdout).toContain("service-sim snapshot load paid --world checkout-7    returns to it");
});

test("in another folder it says where to run, since secrets are not given out", async () => {
  const { SERVICE_SIM_URL: url } = await expected();
  const { code, stdout, stderr } = await place().run(`env --url ${url}`, { folder: "other" });
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr:
      `error  this folder has no credentials for ${url}; ` +
      "the simulator never sends them over HTTP\n" +
      "next   run it in the folder of service-sim start\n",
  });
});

describe("in a shell that has the lines of a simulator that is gone", () => {
  const GONE = "http://127.0.0.1:9";
  const env = { SERVICE_SIM_URL: `${GONE}/` };

  test("it prints those of the one here now", async () => {
    const environment = await expected();
    expect(documentOf(await place().run("env --json", { env }))).toEqual(environment);
  });

  test("and of the one they name while that runs", async () => {
    await expected();
    const other = await place().start("--storage file:other");
    const url = `http://127.0.0.1:${other.ready.port}`;
    const { code, stderr } = await place().run("env", { env: { SERVICE_SIM_URL: url } });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(url) });
  });

  test("an address that was typed is not given up", async () => {
    await expected();
    const { code, stderr } = await place().run(`env --url ${GONE}`);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr:
        `error  no simulator is running (${GONE}: connect ECONNREFUSED 127.0.0.1:9)\n` +
        "next   service-sim start\n",
    });
  });

  test.each(["status", "env", "wait --timeout 100ms"])(
    "%s says to start one first where none runs here",
    async (words) => {
      const { code, stderr } = await place().run(words, { env });
      expect(code).toBe(3);
      expect(stderr).toMatch(
        /\nnext {3}service-sim start {12}SERVICE_SIM_URL names a stopped simulator: start one\n {7}eval "\$\(service-sim env\)" {4}then set the variables again\n$/,
      );
    },
  );

  test.each([
    { words: "status", sentence: `no simulator is running (${GONE}` },
    { words: "stop", sentence: `no simulator is running (${GONE}` },
    { words: "wait --timeout 100ms", sentence: "no simulator was ready within 100ms" },
  ])("$words does not guess, and says how to ask the one here", async ({ words, sentence }) => {
    await expected();
    const { code, stderr } = await place().run(words, { env });
    expect(code).toBe(3);
    expect(stderr).toContain(`error  ${sentence}`);
    expect(stderr).toMatch(
      /\nnext {3}eval "\$\(service-sim env\)" {4}SERVICE_SIM_URL names a stopped simulator: use this folder\n {7}service-sim start {12}or start one\n$/,
    );
  });
});
