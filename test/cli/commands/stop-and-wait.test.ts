import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { documentOf, waitUntil } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

test("stop ends the simulator and returns when it is gone", async () => {
  const { ready, started } = await place().start();
  expect(await place().run("stop")).toEqual({
    code: 0,
    signal: null,
    stdout: `✓ stopped pid ${ready.pid}\n`,
    stderr: "",
  });
  expect(await started.ended).toMatchObject({ code: 0 });
  expect(await place().run("stop")).toMatchObject({ code: 3 });
});

test("stop --json prints what was stopped", async () => {
  const { ready } = await place().start();
  expect(documentOf(await place().run("stop --json"))).toEqual({ stopped: true, pid: ready.pid });
});

test("a receiver that hangs does not hold up a stop", async () => {
  const { call, started } = await place().start();
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
    stderr: `error  Expected a duration like 30s but found "${span}"\nnext   service-sim wait\n`,
  });
});

test("wait --url nonsense exits 2 at once", async () => {
  expect(await place().run("wait --url nonsense")).toMatchObject({ code: 2 });
});
