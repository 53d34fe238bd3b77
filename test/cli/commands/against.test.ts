import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { OWN_SCENARIO } from "../../conform/setup/planted-differences.ts";
import { documentOf } from "../../setup/cli.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

beforeEach(() => {
  writeFileSync(place().file("own.json"), JSON.stringify(OWN_SCENARIO, null, 2));
});

/** Another simulator, on a port of its own and at the instant of the one that is compared. */
const elsewhere = async (options: SimulatorOptions = {}) => {
  const other = await startTestSimulator({
    seed: "elsewhere",
    now: new Date().toISOString(),
    ...options,
  });
  onTestFinished(() => other.sim.close());
  await other.sim.listen();
  return other;
};

const credentialsOf = ({ sim }: TestSimulator) => ({
  SERVICE_SIM_AGAINST_CLIENT_ID: sim.clientId,
  SERVICE_SIM_AGAINST_CLIENT_SECRET: sim.clientSecret,
});

/** Answers some calls itself and passes the others on to a simulator. */
const inFrontOf = async (
  { sim }: TestSimulator,
  answers: (request: IncomingMessage) => { status: number; headers?: object } | undefined,
) => {
  const { origin } = new URL(sim.apiUrl);
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const own = answers(request);
    if (own) return answer.writeHead(own.status, { ...own.headers }).end();
    const passed = await fetch(origin + request.url, {
      method: request.method ?? "GET",
      headers: {
        authorization: request.headers.authorization ?? "",
        "content-type": request.headers["content-type"] ?? "",
      },
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    });
    answer.writeHead(passed.status, { "content-type": "application/json" });
    return answer.end(await passed.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/2025-10-13`;
};

// spec/conform.md#against
test("another simulator, of another brand, shows no difference", async () => {
  const other = await elsewhere({ brand: "acme" });
  const words = `conform --against ${other.sim.apiUrl} ./own.json card-life --brand acme --rate 100`;
  const { code, stdout, stderr } = await place().run(`${words} --yes`, {
    env: credentialsOf(other),
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("own  8 calls compared\n");
  expect(stdout).toContain("card-life  12 calls compared, 4 steps only a simulator has\n");
});

test("without --yes the calls are printed, and none is sent", async () => {
  const other = await elsewhere();
  const words = `conform --against ${other.sim.apiUrl} ./own.json payout`;
  const { code, stdout, stderr } = await place().run(words);
  expect(code).toBe(0);
  expect(stdout).toContain(`payout would send to ${other.sim.apiUrl}\n`);
  expect(stdout).toContain("  wait 6m\n");
  expect(stderr).toContain("nothing was sent; --yes sends them");
  expect((await other.control("GET", "/requests")).body.data).toEqual([]);
});

test("a difference is told with its step, its place and both values: exit 1", async () => {
  const other = await elsewhere();
  let asked = 0;
  const url = await inFrontOf(other, () => {
    asked += 1;
    return asked === 3 ? { status: 503 } : undefined;
  });
  const words = `conform --against ${url} ./own.json --rate 100 --yes`;
  const ended = await place().run(`${words} --json`, { env: credentialsOf(other) });
  expect(ended.code).toBe(1);
  expect(documentOf(ended)).toMatchObject({
    against: url,
    scenarios: [
      {
        scenario: "own",
        ok: false,
        compared: 3,
        difference: { step: 3, path: "status", ours: "200", theirs: "503" },
      },
    ],
  });
  const stranger = { ...credentialsOf(other), SERVICE_SIM_AGAINST_CLIENT_SECRET: "none" };
  const shown = await place().run(words, { env: stranger });
  expect(shown.stdout).toMatch(/first difference {2}step 1 \(line \d+\), POST \/customers\n/);
  expect(shown.stdout).toContain("  ours    201\n  theirs  401\n");
});

test("an answer of 429 is repeated after the pause it asks for, three times at most", async () => {
  const other = await elsewhere();
  const busy = { status: 429, headers: { "retry-after": "0" } };
  let asked = 0;
  const url = await inFrontOf(other, () => {
    asked += 1;
    return asked <= 3 ? busy : undefined;
  });
  const words = `conform --against ${url} ./own.json --rate 100 --yes`;
  expect((await place().run(words, { env: credentialsOf(other) })).code).toBe(0);
  expect(asked).toBe(OWN_SCENARIO.steps.length + 3);
  let always = 0;
  const never = await inFrontOf(other, () => {
    always += 1;
    return busy;
  });
  const given = `conform --against ${never} ./own.json --rate 100 --yes`;
  const { code, stdout } = await place().run(given, { env: credentialsOf(other) });
  expect([code, always]).toEqual([1, 4]);
  expect(stdout).toContain("theirs  429");
});

const ID = "SERVICE_SIM_AGAINST_CLIENT_ID";
const SECRET = "SERVICE_SIM_AGAINST_CLIENT_SECRET";
const NOWHERE = "http://127.0.0.1:9/2025-10-13";

test("a service that cannot be reached: exit 3, and its address", async () => {
  const env = { [ID]: "id", [SECRET]: "secret" };
  const other = await elsewhere();
  const { apiUrl } = other.sim;
  const { port } = new URL(apiUrl);
  await other.sim.close();
  const { code, stderr } = await place().run(`conform --against ${apiUrl} payout --yes`, { env });
  expect(code).toBe(3);
  expect(stderr).toContain(`cannot reach http://127.0.0.1:${port}: ECONNREFUSED`);
});

test.each([
  { [ID]: "sk_live_1", [SECRET]: "secret" },
  { [ID]: "id", [SECRET]: "live_1" },
  { [ID]: "prod_1", [SECRET]: "secret" },
  { [ID]: "id", [SECRET]: "acme_1", SERVICE_SIM_PRODUCTION_PREFIX: "acme_,other_" },
])("credentials of production are refused: %o", async (env) => {
  const other = await elsewhere();
  const words = `conform --against ${other.sim.apiUrl} payout --yes`;
  const { code, stdout, stderr } = await place().run(words, { env });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("found production ones");
  expect(stderr).not.toMatch(/sk_live_1|live_1|prod_1|acme_1/);
  expect((await other.control("GET", "/requests")).body.data).toEqual([]);
});

test.each([
  ["payout --yes", `found no ${ID} and no ${SECRET}`],
  ["wallet --yes", "wallet.json cannot be compared: line"],
  ["payout --max-wait 1m --yes", "the other side would wait 6m; --max-wait allows it"],
  ["nowhere", "nowhere"],
  ["payout --rate 0", 'Expected --rate above 0 and up to 100 but found "0"'],
  ["payout --max-wait soon", 'Expected --max-wait to be a span like 10m but found "soon"'],
  ["payout --sweep", "--against cannot be used with --sweep"],
])("conform --against … %s is refused", async (words, says) => {
  const { code, stderr } = await place().run(`conform --against ${NOWHERE} ${words}`);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

test.each(["nowhere", "ftp://a.test/x", "https://id:secret@a.test", "https://a.test?x=1"])(
  "--against %s is refused",
  async (url) => {
    const { code, stderr } = await place().run(`conform --against ${url} payout`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Expected (the base URL of an API|a base URL without credentials)/);
  },
);
