import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchFrom } from "../../../src/http/sockets/in-process.ts";
import type { Answer } from "../../../src/http/sockets/node-server.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { bytesOf, RawSocket } from "../setup/raw-socket.ts";
import { shownResult, TwoProcesses } from "./setup/two-processes.ts";

let world: TestSimulator;
let both: TwoProcesses;

beforeEach(async () => {
  world = await startTestSimulator();
  // What a listener of the simulator is given.
  const answer = (world.sim as unknown as { answer: Answer }).answer.bind(world.sim);
  both = await TwoProcesses.start(answer);
});

afterEach(async () => {
  await both.close();
  await world.sim.close();
});

const add = (body: object) => world.control("POST", "/faults", body);

const request = () => {
  const { sim } = world;
  return {
    path: `${new URL(sim.apiUrl).pathname}/config`,
    authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
  };
};

/** All that a client gets on a connection of its own. */
const asked = async () => {
  const { path, authorization } = request();
  const socket = new RawSocket(both.port);
  const headers = ["host: localhost", "connection: close", `authorization: ${authorization}`];
  socket.write(bytesOf({ target: path, headers }));
  const [head = "", body = ""] = (await socket.closed()).split("\r\n\r\n");
  return { status: head.split(" ")[1], length: /content-length: (\d+)/.exec(head)?.[1], body };
};

/** The same as a caller within the first process. */
const askedHere = () => {
  const { path, authorization } = request();
  const headers = { authorization };
  return fetchFrom(
    async (one) => shownResult(await both.pass(one)),
    new Request(`http://localhost${path}`, { headers }),
  );
};

// spec/faults.md#damaged-answers, spec/store.md#hops
test.each([
  { what: "in its middle", cutAfterBytes: 25, of: (text: string) => text.slice(0, 25) },
  { what: "at its begin", cutAfterBytes: 0, of: () => "" },
  { what: "before its last byte", cutAfterBytes: 1e6, of: (text: string) => text.slice(0, -1) },
])("an answer cut $what is cut there behind a hop", async ({ cutAfterBytes, of }) => {
  const { body: whole } = await asked();
  await add({ match: { times: 1 }, fault: { cutAfterBytes } });
  expect(await asked()).toEqual({ status: "200", length: `${whole.length}`, body: of(whole) });
  expect(await asked()).toEqual({ status: "200", length: `${whole.length}`, body: whole });
  expect(both.results.map(({ kind }) => kind)).toEqual(["reply", "reply", "reply"]);
});

test("within the first process, a cut answer fails after its first bytes", async () => {
  const whole = await (await askedHere()).text();
  await add({ match: { times: 1 }, fault: { cutAfterBytes: 10 } });
  const response = await askedHere();
  expect(response.headers.get("content-length")).toBe(`${whole.length}`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(whole.slice(0, 10));
  await expect(reader.read()).rejects.toThrow("terminated");
});

test("a garbled answer comes as garbled", async () => {
  const { body: whole } = await asked();
  await add({ match: { times: 1 }, fault: { garble: true } });
  const { status, length, body } = await asked();
  expect({ status, length }).toEqual({ status: "200", length: `${whole.length}` });
  expect(body.length).toBe(whole.length);
  expect(() => JSON.parse(body)).toThrow();
});

test("a dripping answer comes piece by piece, its head first", async () => {
  const { body: whole } = await asked();
  const bytes = Math.ceil(whole.length / 3);
  await add({ match: { times: 1 }, fault: { drip: { bytes, everyMs: 50 } } });
  const response = await askedHere();
  const sizes: number[] = [];
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
    sizes.push(piece.length);
  expect(sizes).toEqual([bytes, bytes, whole.length - 2 * bytes]);
  await add({ match: { times: 1 }, fault: { drip: { bytes, everyMs: 50 } } });
  expect(await asked()).toEqual({ status: "200", length: `${whole.length}`, body: whole });
});

// spec/faults.md#lost-responses
test.each([{ closeSocket: true }, { dropResponse: true }])(
  "with %o the client's connection is dropped, and the one between the processes is kept",
  async (fault) => {
    await asked();
    await add({ match: { times: 2 }, fault });
    expect(await asked()).toEqual({ status: undefined, length: undefined, body: "" });
    await expect(askedHere()).rejects.toThrow(/^fetch failed: \S+ lost the answer$/);
    expect(await asked()).toMatchObject({ status: "200" });
    expect(both.results.map(({ kind }) => kind)).toEqual(["reply", "reply", "reply", "reply"]);
    expect(both.taken.length).toBe(1);
  },
);

test("an answer before a dropped one on its connection comes whole", async () => {
  const { path, authorization } = request();
  const { body: whole } = await asked();
  await add({ match: { nth: 2 }, fault: { cutAfterBytes: 0 } });
  const socket = new RawSocket(both.port);
  const one = bytesOf({ target: path, headers: ["host: a", `authorization: ${authorization}`] });
  socket.write(one);
  await socket.until(/\}$/);
  socket.write(one);
  const [, first = "", second] = (await socket.closed()).split("\r\n\r\n");
  expect(first.startsWith(whole)).toBe(true);
  expect(first.slice(whole.length)).toMatch(/^HTTP\/1\.1 200/);
  expect(second).toBe("");
});
