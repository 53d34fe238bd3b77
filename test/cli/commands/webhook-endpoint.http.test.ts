import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

let world: TestSimulator;
let url: string;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await new Receiver().start();
});

afterAll(() => receiver.stop());

beforeEach(async () => {
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
  vi.stubEnv("SERVICE_SIM_CLIENT_ID", world.sim.clientId);
  vi.stubEnv("SERVICE_SIM_CLIENT_SECRET", world.sim.clientSecret);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await world.sim.close();
});

const endpoint = (...args: string[]) =>
  runInProcess(["webhooks", "endpoint", ...args, "--url", url]);

const configured = async () => (await world.call("GET", "/config")).body.webhookEndpoint;

/** A port of this machine that nothing listens on. */
const CLOSED = "http://127.0.0.1:9/hooks";

test("without an endpoint it says that webhooks are collected", async () => {
  expect(await endpoint()).toEqual({
    code: 0,
    stdout: "no endpoint: webhooks are stored, not sent\n",
    stderr: "",
  });
  expect(JSON.parse((await endpoint("--json")).stdout)).toEqual({ endpoint: null });
});

test("a URL is set, with what a connection found, and a TEST event is sent there", async () => {
  const shown = `webhooks go to ${receiver.url}\n✓ accepts connections\n`;
  expect(await endpoint(receiver.url)).toEqual({ code: 0, stdout: shown, stderr: "" });
  expect(await configured()).toBe(receiver.url);
  expect(await endpoint()).toEqual({ code: 0, stdout: shown, stderr: "" });
  expect((await endpoint("--quiet")).stdout).toBe(`${receiver.url}\n`);
  const wait = ["webhooks", "wait", "--type", "TEST", "--url", url, "--quiet"];
  expect(await runInProcess(wait)).toMatchObject({ code: 0 });
});

test("an endpoint that does not answer is set, and said", async () => {
  expect(await endpoint(CLOSED)).toEqual({
    code: 0,
    stdout: `webhooks go to ${CLOSED}\n~ no answer yet: ECONNREFUSED\n`,
    stderr: "",
  });
  expect(await configured()).toBe(CLOSED);
  expect(JSON.parse((await endpoint("--json")).stdout)).toEqual({
    endpoint: CLOSED,
    answers: false,
    problem: "ECONNREFUSED",
  });
});

test("--clear removes it", async () => {
  await endpoint(CLOSED);
  expect(await endpoint("--clear")).toMatchObject({
    code: 0,
    stdout: "no endpoint: webhooks are stored, not sent\n",
  });
  expect(await configured()).toBeUndefined();
});

test.each([
  { given: "127.0.0.1:3000/hooks", meant: "http://127.0.0.1:3000/hooks" },
  { given: "3000", meant: "http://127.0.0.1:3000" },
  { given: ":3000/hooks", meant: "http://127.0.0.1:3000/hooks" },
  { given: "localhost:3000", meant: "http://localhost:3000" },
])("$given is refused without the words for callers, with $meant", async ({ given, meant }) => {
  const { code, stdout, stderr } = await endpoint(given);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`error  Expected an http or https URL but found "${given}"\nnext   `);
  expect(stderr).toContain(`next   service-sim webhooks endpoint ${meant}\n`);
  expect(await configured()).toBeUndefined();
});

test("a URL beside --clear is refused", async () => {
  expect(await endpoint(CLOSED, "--clear")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("use only one of a URL and --clear"),
  });
});
