import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { detailLines } from "../../../src/tui/detail.ts";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

let world: TestSimulator;
let url: string;

beforeEach(async () => {
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
});

afterEach(() => world.sim.close());

/** Id of a call whose answer is longer than what is shown, and the characters of that answer. */
const longAnswer = async () => {
  for (let count = 0; count < 12; count += 1) await createPayer(world);
  const { body, headers } = await world.call("GET", "/customers?limit=100");
  return { id: headers.get("x-sim-request-id") ?? "", characters: JSON.stringify(body).length };
};

const requests = (...args: string[]) => runInProcess(["requests", ...args, "--url", url]);

const grouped = (count: number) => count.toLocaleString("en-US");

// spec/errors.md#request-log
test("a body that the log cuts is said to be cut, and --whole shows all of it", async () => {
  const { id, characters } = await longAnswer();
  const cut = await requests(id);
  const note = `cut: the first 2,048 of ${grouped(characters)} characters`;
  expect(cut.stdout).toContain(`response body, ${note}`);
  expect(cut.stdout).toContain("\n--whole shows whole bodies\n");
  const json = JSON.parse((await requests(id, "--json")).stdout);
  expect(json.cut).toEqual({ responseBody: characters });
  const whole = await requests(id, "--whole");
  expect(whole.stdout).not.toContain("cut:");
  expect(JSON.parse((await requests(id, "--whole", "--json")).stdout)).not.toHaveProperty("cut");

  const detail = {
    list: "requests",
    path: `/requests/${id}`,
    id,
    body: json,
    isWhy: false,
    isJson: false,
  };
  const context = { now: "2026-01-05T09:00:00.000Z" };
  const lines = detailLines({ lists: {} } as never, detail as never, { context } as never);
  expect(JSON.stringify(lines)).toContain(note);
});

// spec/webhooks.md#retention
test("a receiver's answer that is cut is said to be cut", async () => {
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(500).end("x".repeat(5_000)));
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  try {
    const { port } = receiver.address() as AddressInfo;
    await world.control("PATCH", "/config", { webhookEndpoint: `http://127.0.0.1:${port}/hooks` });
    const sent = await world.control("POST", "/webhooks/trigger", { type: "TEST" });
    expect(sent.body.cut).toEqual({ reply: 5_000 });
    const { id } = sent.body;
    const show = (...args: string[]) =>
      runInProcess(["webhooks", "show", id, ...args, "--url", url]);
    const note = "cut: the first 2,048 of 5,000 bytes that were read";
    expect((await show()).stdout).toContain(`answer to 1 ${note}`);
    const body = JSON.parse((await show("--json")).stdout);
    expect(body.attempts[0]).toMatchObject({ status: 500, cut: { reply: 5_000 } });
    expect(body.attempts[0].reply).toHaveLength(2_048);
    const detail = {
      list: "deliveries",
      path: `/webhooks/${id}`,
      id,
      body,
      isWhy: false,
      isJson: false,
    };
    const context = { now: "2026-01-05T09:00:00.000Z" };
    const lines = detailLines({ lists: {} } as never, detail as never, { context } as never);
    expect(JSON.stringify(lines)).toContain(note);
    const story = await world.control("GET", `/why/${id}`);
    expect(JSON.stringify(story.body)).not.toContain("xxx");
  } finally {
    receiver.closeAllConnections();
    await new Promise((done) => receiver.close(done));
  }
});

test("--whole needs an id", async () => {
  const { code, stderr } = await requests("--whole");
  expect(code).toBe(2);
  expect(stderr).toContain("--whole needs an id");
});
