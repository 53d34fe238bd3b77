import { connect, type Socket } from "node:net";
import { within } from "../bench/deadline.ts";
import { controlCall } from "../fuzz/control-call.ts";
import type { FuzzedWorld } from "../fuzz/fuzzed-world.ts";
import { WireConnection } from "../fuzz/wire.ts";
import { Receiver } from "../setup/receiver.ts";
import {
  callInTurn,
  emptyLoad,
  exchangeAll,
  type Load,
  type LoadRequest,
  platformRequest,
  type Work,
} from "./clients.ts";
import { HOSTILE_RECEIVERS, HostileReceiver } from "./hostile-receivers.ts";

/** Time for an event to arrive, after which the stage fails. */
const LONGEST_WAIT_MS = 30_000;

/** Reads and writes of a usual client. */
const usualRequests = (world: FuzzedWorld): LoadRequest[] => {
  const { quoteId, customerId, accountId, externalAccountId } = world.ids;
  const quote = {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: externalAccountId },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100,
  };
  const get = (path: string) => platformRequest(world, { method: "GET", path });
  return [
    get(`/quotes/${quoteId}`),
    get(`/customers/${customerId}`),
    get("/config"),
    platformRequest(world, { method: "POST", path: "/quotes", body: quote }),
  ];
};

/** Calls before a measurement, so that the code is compiled and the caches are warm. */
const WARM_UPS = 2_000;

/**
 * Connections that have each been answered once. Node.js accepts one connection in a turn of its
 * event loop, so under load the last of many would wait for as many turns.
 */
export const warmConnections = async (
  world: FuzzedWorld,
  { connections, calls = WARM_UPS }: { connections: number; calls?: number },
): Promise<{ connections: WireConnection[]; errors: string[] }> => {
  const requests = usualRequests(world);
  const errors: string[] = [];
  const made = Array.from({ length: connections }, () => new WireConnection(world.port));
  for (let call = 0; call < Math.max(calls, connections); call += 1) {
    const connection = made[call % connections] as WireConnection;
    const request = requests[call % requests.length] as LoadRequest;
    const { problem } = await exchangeAll(connection, [request]);
    if (problem !== undefined) errors.push(problem);
  }
  return { connections: made, errors };
};

/** Many connections, each with one request after the other. */
export const manyConnections = async (
  world: FuzzedWorld,
  { connections, isOver }: { connections: readonly WireConnection[]; isOver: Work["isOver"] },
): Promise<Load> => {
  const load = emptyLoad();
  const requests = usualRequests(world);
  await Promise.all(connections.map((one) => callInTurn(one, { requests, isOver }, load)));
  return load;
};

const opened = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });

/** Sends a request a piece at a time, and reads its answer. */
const sendSlowly = async (
  port: number,
  { bytes, method }: LoadRequest,
  { pieces, turn }: { pieces: number; turn(): Promise<unknown> },
): Promise<string | undefined> => {
  const connection = new WireConnection(port);
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    const isLast = at + size >= bytes.length;
    const request = { method, bytes: piece };
    if (isLast) {
      const { problem } = await exchangeAll(connection, [request]);
      connection.destroy();
      return problem;
    }
    await connection.exchange({ chunks: [piece], methods: [], end: "keep", untilClosed: false }, 0);
    await turn();
  }
  return "nothing was sent";
};

/**
 * Connections that send nothing, and others that send a request in small pieces, while one client
 * calls as usual. All idle ones are still open at the end.
 */
export const idleAndSlow = async (
  world: FuzzedWorld,
  {
    idle,
    slow,
    pieces,
    turn,
  }: {
    idle: number;
    slow: number;
    pieces: number;
    /** Resolves when it is time for the next piece. */
    turn(): Promise<unknown>;
  },
): Promise<Load> => {
  const load = emptyLoad();
  const requests = usualRequests(world);
  const sockets = await Promise.all(Array.from({ length: idle }, () => opened(world.port)));
  let closed = 0;
  for (const socket of sockets) socket.on("close", () => (closed += 1));
  let isDone = false;
  const usual = callInTurn(
    new WireConnection(world.port),
    { requests, isOver: () => isDone },
    load,
  );
  const [read] = requests as [LoadRequest];
  const problems = await Promise.all(
    Array.from({ length: slow }, () => sendSlowly(world.port, read, { pieces, turn })),
  );
  isDone = true;
  await usual;
  if (closed > 0) load.errors.push(`${closed} idle connections were closed`);
  for (const socket of sockets) socket.destroy();
  load.errors.push(...problems.filter((one) => one !== undefined));
  return load;
};

/** Many requests in one write on one connection, while another client calls as usual. */
export const pipelined = async (
  world: FuzzedWorld,
  { count }: { count: number },
): Promise<Load> => {
  const load = emptyLoad();
  const requests = usualRequests(world);
  const all = Array.from({ length: count }, (_, at) => requests[at % 2] as LoadRequest);
  let isDone = false;
  const usual = callInTurn(
    new WireConnection(world.port),
    { requests, isOver: () => isDone },
    load,
  );
  const connection = new WireConnection(world.port);
  const { answers, problem } = await exchangeAll(connection, all);
  connection.destroy();
  isDone = true;
  await usual;
  if (problem !== undefined) load.errors.push(problem);
  const wanted = [world.ids.quoteId, world.ids.customerId];
  const wrong = answers.findIndex(({ body }, at) => JSON.parse(body).id !== wanted[at % 2]);
  if (wrong >= 0) load.errors.push(`the answer ${wrong} is that of another request`);
  return load;
};

/** A world that tells an endpoint of its events. */
const toldWorld = async (world: FuzzedWorld, name: string, url: string) => {
  const made = await controlCall(world, "/worlds", { method: "POST", body: { name } });
  await made.text();
  const configure = platformRequest(world, {
    method: "PATCH",
    path: "/config",
    body: { webhookEndpoint: url },
    world: name,
  });
  const connection = new WireConnection(world.port);
  await exchangeAll(connection, [configure]);
  const { accountId } = world.ids;
  const path = `/sandbox/internal-accounts/${accountId}/fund`;
  const fund = platformRequest(world, { method: "POST", path, body: { amount: 1 }, world: name });
  return {
    /** Causes events, a change of a balance each. */
    cause: (count: number) =>
      exchangeAll(
        connection,
        Array.from({ length: count }, () => fund),
      ),
    end: () => connection.destroy(),
  };
};

/** A receiver that tells how many events have come. */
const healthyReceiver = async () => {
  const receiver = await new Receiver().start();
  let waiting: { count: number; resolve(): void } | undefined;
  let came = 0;
  receiver.behaviour = ({ type }, response) => {
    response.end();
    // The event that a new endpoint is greeted with.
    if (type === "TEST") return;
    came += 1;
    if (waiting && came >= waiting.count) waiting.resolve();
  };
  const until = (count: number) =>
    within(
      LONGEST_WAIT_MS,
      "an event at a healthy receiver",
      new Promise<void>((resolve) => {
        waiting = { count, resolve };
        if (came >= count) resolve();
      }),
    );
  return { receiver, until, came: () => came };
};

/**
 * Worlds whose receivers are hostile, each with events to send, and worlds with healthy ones. The
 * times are those from an event to its arrival at a healthy receiver.
 */
export const hostileReceivers = async (
  world: FuzzedWorld,
  { events, healthy }: { events: number; healthy: number },
): Promise<Load & { hostileCalls: number[] }> => {
  const load = emptyLoad();
  const hostile = HOSTILE_RECEIVERS.map(({ take }) => new HostileReceiver(take));
  const urls = await Promise.all(hostile.map((one) => one.start()));
  const harmed = [];
  for (const [at, url] of urls.entries()) harmed.push(await toldWorld(world, `hostile-${at}`, url));
  for (const one of harmed) await one.cause(events);
  for (let at = 0; at < healthy; at += 1) {
    const { receiver, until, came } = await healthyReceiver();
    const told = await toldWorld(world, `healthy-${at}`, receiver.url);
    const before = came();
    const startedMs = performance.now();
    await told.cause(1);
    await until(before + 1);
    load.tookMs.push(performance.now() - startedMs);
    told.end();
    await receiver.stop();
  }
  for (const one of harmed) one.end();
  await Promise.all(hostile.map((one) => one.stop()));
  return { ...load, hostileCalls: hostile.map(({ calls }) => calls) };
};
