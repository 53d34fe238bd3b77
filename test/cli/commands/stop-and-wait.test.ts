import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { documentOf, waitUntil } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

test("stop ends the simulator and returns when it is gone", async () => {
  const { ready, started } = await place().startProcess();
  expect(await place().run("stop")).toEqual({
    code: 0,
    signal: null,
    stdout: `✓ stopped pid ${ready.pid}\n`,
    stderr: "",
  });
  expect(await started.ended).toMatchObject({ code: 0 });
});

describe("stop with nothing to stop", () => {
  test("exits 0 and says so, in a folder that never had a simulator", async () => {
    const nothing = "✓ nothing to stop: no simulator is running (.service-sim)\n";
    const ended = await place().command("stop").ended;
    expect(ended).toEqual({ code: 0, signal: null, stdout: nothing, stderr: "" });
    expect(documentOf(await place().run("stop --json"))).toEqual({ stopped: false });
  });

  test("exits 0 also after a stop, and when it was killed", async () => {
    await place().startProcess();
    await place().run("stop");
    expect(await place().run("stop")).toMatchObject({ code: 0 });
    const killed = await place().startProcess();
    await killed.stop("SIGKILL");
    const { code, stdout } = await place().run("stop");
    expect(code).toBe(0);
    expect(stdout).toContain(
      `✓ nothing to stop: no simulator is running (http://127.0.0.1:${killed.ready.port}: `,
    );
  });

  test("exits 0 at an address that was typed and does not answer", async () => {
    await place().start();
    const { code, stdout } = await place().run("stop --url http://127.0.0.1:9");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        "✓ nothing to stop: no simulator is running " +
        "(http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9)\n",
    });
    expect(await place().run("status")).toMatchObject({ code: 0 });
  });

  test.each([
    { what: "does not answer", change: { url: "http://127.0.0.1:9" } },
    { what: "has a damaged file", change: undefined },
  ])("exits 3 while one may run here that $what", async ({ change }) => {
    await place().start();
    const file = place().file(".service-sim", "instance.json");
    const { checksum: _, ...instance } = place().readJson(".service-sim", "instance.json");
    writeFileSync(file, change ? JSON.stringify({ ...instance, ...change }) : "{");
    expect(await place().run("stop")).toMatchObject({ code: 3 });
  });
});

test("stop --json prints what was stopped", async () => {
  const { ready } = await place().startProcess();
  expect(documentOf(await place().run("stop --json"))).toEqual({ stopped: true, pid: ready.pid });
});

test("a receiver that hangs does not hold up a stop", async () => {
  const { call, started } = await place().startProcess();
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  receiver.behaviour = () => {};
  await call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await waitUntil("a webhook", () => receiver.received.length > 0);
  expect(await place().run("stop")).toMatchObject({ code: 0 });
  expect(await started.ended).toMatchObject({ code: 0, stderr: "" });
  expect(await place().start()).toBeDefined();
});

test("wait called before start returns once the simulator is ready", async () => {
  const waiting = place().command("wait --timeout 20s");
  const { ready } = await place().start();
  expect(await waiting.ended).toMatchObject({
    code: 0,
    stdout: `✓ ready at http://127.0.0.1:${ready.port}\n`,
  });
  const again = await place().run("wait --json");
  expect(documentOf(again)).toEqual({ ready: true, url: `http://127.0.0.1:${ready.port}` });
});

test("wait gives up after its timeout", async () => {
  const { code, stderr } = await place().run("wait --timeout 200ms");
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: "error  no simulator was ready within 200ms\nnext   service-sim start\n",
  });
});

test("wait gives up also on a server that takes calls and never answers", async () => {
  const server = createServer(() => {});
  onTestFinished(() => void server.close());
  const port = await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port));
  });
  const ended = await place().run(`wait --timeout 200ms --url http://127.0.0.1:${port}`);
  expect(ended).toMatchObject({ code: 3 });
});

test.each(["nonsense", "0s", "-1s"])("wait --timeout %s exits 2", async (span) => {
  const { code, stderr } = await place().run(`wait --timeout ${span}`);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `error  --timeout: Expected a duration like 30s but found "${span}"\nnext   service-sim wait\n`,
  });
});

test("wait --url nonsense exits 2 at once", async () => {
  expect(await place().run("wait --url nonsense")).toMatchObject({ code: 2 });
});
