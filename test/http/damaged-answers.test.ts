import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;
let authorization: string;
let port: number;

beforeEach(async () => {
  world = await startTestSimulator();
  ({ port } = await world.sim.listen());
  authorization = `Basic ${btoa(`${world.sim.clientId}:${world.sim.clientSecret}`)}`;
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const add = (body: object) => world.control("POST", "/faults", body);

const headOf = (path: string) =>
  `GET ${new URL(world.sim.apiUrl).pathname}${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`;

/** Everything that comes through a socket until it is closed. */
const readAll = (socket: Socket) =>
  new Promise<{ head: string; body: Buffer }>((resolve, reject) => {
    const parts: Buffer[] = [];
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("error", reject);
    socket.on("close", () => {
      const all = Buffer.concat(parts);
      const at = all.indexOf("\r\n\r\n");
      resolve({ head: all.toString("latin1", 0, at).toLowerCase(), body: all.subarray(at + 4) });
    });
  });

const whole = async () => {
  const response = await fetch(`${world.sim.apiUrl}/config`, { headers: { authorization } });
  return Buffer.from(await response.arrayBuffer());
};

const inProcess = () =>
  world.sim.fetch(new Request(`${world.sim.apiUrl}/config`, { headers: { authorization } }));

// spec/faults.md#damaged-answers
test("a cut answer has fewer bytes than its length says, then the connection closes", async () => {
  const expected = await whole();
  await add({ match: { times: 1 }, fault: { cutAfterBytes: 25 } });
  const socket = connect(port, "127.0.0.1");
  const read = readAll(socket);
  socket.write(headOf("/config"));
  const { head, body } = await read;
  expect(head).toContain("http/1.1 200");
  expect(head).toContain(`content-length: ${expected.length}`);
  expect(body.toString()).toBe(expected.subarray(0, 25).toString());
});

test("a cut longer than the body still leaves out its last byte", async () => {
  const expected = await whole();
  await add({ match: { times: 1 }, fault: { cutAfterBytes: 1_000_000 } });
  const socket = connect(port, "127.0.0.1");
  const read = readAll(socket);
  socket.write(headOf("/config"));
  expect((await read).body.length).toBe(expected.length - 1);
});

test("an answer before a cut one on its connection comes whole", async () => {
  const expected = await whole();
  await add({ match: { nth: 2 }, fault: { cutAfterBytes: 0 } });
  const socket = connect(port, "127.0.0.1");
  const read = readAll(socket);
  socket.write(headOf("/config") + headOf("/config"));
  const { body } = await read;
  expect(body.subarray(0, expected.length).equals(expected)).toBe(true);
  expect(body.toString("latin1", expected.length)).toMatch(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n$/);
});

test("a client of fetch fails while it reads a cut answer, and the next one is whole", async () => {
  await add({ match: { times: 1 }, fault: { cutAfterBytes: 10 } });
  const response = await fetch(`${world.sim.apiUrl}/config`, { headers: { authorization } });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("terminated");
  expect(JSON.parse(`${await whole()}`)).toHaveProperty("supportedCurrencies");
});

test("within this process the body of a cut answer fails after its first bytes", async () => {
  await add({ match: { times: 1 }, fault: { cutAfterBytes: 10 } });
  const response = await inProcess();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).value?.length).toBe(10);
  await expect(reader.read()).rejects.toThrow("terminated");
});

test("a garbled answer has as many bytes, and they are not JSON", async () => {
  const expected = await whole();
  await add({ fault: { garble: true } });
  const first = await whole();
  const second = await whole();
  expect(first.length).toBe(expected.length);
  expect(() => JSON.parse(`${first}`)).toThrow();
  expect(first.equals(second)).toBe(false);
});

test("the same seed garbles the same calls alike", async () => {
  const bytes = await Promise.all(
    ["again", "again", "other"].map(async (seed) => {
      const other = await startTestSimulator({ seed });
      await other.control("POST", "/faults", { fault: { garble: true } });
      const headers = {
        authorization: `Basic ${btoa(`${other.sim.clientId}:${other.sim.clientSecret}`)}`,
      };
      const response = await other.sim.fetch(
        new Request(`${other.sim.apiUrl}/config`, { headers }),
      );
      const body = Buffer.from(await response.arrayBuffer()).toString("hex");
      await other.sim.close();
      return body;
    }),
  );
  expect(bytes[0]).toBe(bytes[1]);
  expect(bytes[0]).not.toBe(bytes[2]);
});

test("a dripping answer comes whole, piece by piece", async () => {
  const expected = await whole();
  const bytes = Math.ceil(expected.length / 3);
  await add({ match: { times: 2 }, fault: { drip: { bytes, everyMs: 20 } } });
  const startedMs = performance.now();
  const overSocket = await whole();
  expect(overSocket.equals(expected)).toBe(true);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(55);
  const sizes: number[] = [];
  for await (const piece of (await inProcess()).body as unknown as AsyncIterable<Uint8Array>)
    sizes.push(piece.length);
  expect(sizes).toEqual([bytes, bytes, expected.length - 2 * bytes]);
});

test("a dripping answer can be cut, and an error can be garbled", async () => {
  await add({
    match: { nth: 1 },
    fault: { drip: { bytes: 4, everyMs: 1 }, cutAfterBytes: 6 },
  });
  await add({ match: { nth: 2 }, fault: { status: 502, garble: true } });
  const socket = connect(port, "127.0.0.1");
  const read = readAll(socket);
  socket.write(headOf("/config"));
  expect((await read).body.length).toBe(6);
  const response = await fetch(`${world.sim.apiUrl}/config`, { headers: { authorization } });
  expect(response.status).toBe(502);
  await expect(response.json()).rejects.toThrow();
});

test("a damaged call has happened, and the log has its answer whole", async () => {
  await add({ match: { times: 1 }, fault: { garble: true } });
  const response = await fetch(`${world.sim.apiUrl}/customers`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ customerType: "INDIVIDUAL" }),
  });
  expect(response.status).toBe(201);
  expect((await world.call("GET", "/customers")).body.totalCount).toBe(1);
  const id = response.headers.get("x-sim-request-id");
  const { body } = await world.control("GET", `/requests/${id}`);
  expect(body.reply ?? body).toMatchObject({ fault: expect.stringMatching(/^Fault:/) });
});

test("a client that leaves a dripping answer ends it", async () => {
  await add({ match: { times: 1 }, fault: { drip: { bytes: 1, everyMs: 60_000 } } });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(headOf("/config"));
  const head = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
  expect(head.toString()).toMatch(/^HTTP\/1\.1 200/);
  socket.destroy();
  expect((await world.call("GET", "/config")).status).toBe(200);
});

test.each([
  { fault: { dropResponse: true, garble: true } },
  { fault: { closeSocket: true, cutAfterBytes: 1 } },
  { fault: { drip: { bytes: 0, everyMs: 1 } } },
  { fault: { drip: { bytes: 1 } } },
  { fault: { cutAfterBytes: -1 } },
])("$fault is refused", async ({ fault }) => {
  expect((await add({ fault })).status).toBe(400);
});
