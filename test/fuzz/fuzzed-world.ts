import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Revision } from "../../src/contract/core/revision-names.ts";
import type { createSimulator, SimulatorOptions } from "../../src/simulator.ts";
import { answered, answering, createRecipient, receive } from "../api/setup/incoming.ts";
import { type KnownIds, populate } from "../api/setup/populated.ts";
import { WalletClient } from "../api/wallets/setup/wallet-client.ts";
import { Receiver } from "../setup/receiver.ts";
import type { Answer, TestSimulator } from "../setup/test-simulator.ts";
import { type ControlTarget, tokenHeader } from "./control-call.ts";
import { formCalled, type ServerForm } from "./forms.ts";
import { populateLater } from "./later-records.ts";

/** Facts that a campaign needs of the world it calls. */
export interface FuzzedWorld extends ControlTarget {
  clientId: string;
  clientSecret: string;
  /** The first one by default. */
  revision?: Revision;
  /** Ids of records that every lane's world begins with. */
  ids: KnownIds;
}

/** State of the process that serves, after a collection of garbage. */
export interface ServedState {
  heapBytes: number;
  /** Messages of bugs and stops. */
  alarms: readonly string[];
  /** Members that something added to every object. */
  polluted: readonly string[];
}

/** A simulator with records of each kind, behind a port. */
export interface OpenFuzzedWorld extends FuzzedWorld {
  state(): ServedState;
  /** Closes the simulator and opens its files again; returns differences that this made. */
  reopen(): Promise<string[]>;
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const collectGarbage = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
};

/** Bytes that objects take, with those outside of the JavaScript heap. */
const heapBytes = (collect: () => void) => {
  collect();
  collect();
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
};

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
};

type Sim = Awaited<ReturnType<typeof createSimulator>>;

/** Short ways to call a simulator, without the checks of a test's own. */
const callsOf = (sim: Sim, alarms: string[], token: object): TestSimulator => {
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const json = (body: unknown): RequestInit =>
    body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const raw = async (method: string, path: string, init: RequestInit = {}) => {
    const headers = { authorization, ...(init.headers as Record<string, string>) };
    return read(await sim.fetch(new Request(sim.apiUrl + path, { ...init, method, headers })));
  };
  return {
    sim,
    alarms,
    raw,
    call: (method, path, body) => raw(method, path, json(body)),
    control: async (method, path, body) => {
      const { headers, ...init } = json(body);
      const whole = { method, ...init, headers: { ...headers, ...token } };
      return read(await sim.fetch(new Request(sim.controlUrl + path, whole)));
    },
  };
};

/** Records that only some operations need: a payment that waits for an answer, webhooks, timers. */
const populateMore = async (world: TestSimulator, receiver: Receiver): Promise<KnownIds> => {
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const recipient = await createRecipient(world);
  const { body: incoming } = await receive(world, recipient);
  await world.control("POST", "/clock/advance", { by: "1ms" });
  await world.control("PUT", "/snapshots/base");
  const { body: exported } = await world.control("GET", "/snapshots/base/export");
  const { body: timers } = await world.control("GET", "/timers");
  const { body: webhooks } = await world.control("GET", "/webhooks");
  const { body: requests } = await world.control("GET", "/requests");
  const spare = await WalletClient.create(world);
  await spare.addEmail("spare@shop.example");
  const spareCredentialId = await spare.addOauth();
  const { body: page } = await world.control("GET", "/console/");
  const files = [...page.matchAll(/"(?:[^"]*\/)?([\w-]+\.(?:js|css))"/g)].map(([, file]) => file);
  return {
    spareCredentialId,
    consoleFiles: files.join(" ") || "none",
    incomingId: incoming.id,
    snapshotName: "base",
    snapshotFile: exported,
    timerId: timers.data.at(-1).id,
    webhookId: webhooks.data[0].id,
    requestId: requests.data[0].id,
  };
};

/** Options of every form: the same records and ids at each start. */
const optionsOf = ({ options }: ServerForm, storage: string | undefined): SimulatorOptions => ({
  seed: "fuzz",
  clock: "manual",
  now: "2026-01-05T09:00:00.000Z",
  webhookTimeoutMs: 500,
  ...options,
  ...(storage !== undefined && { storage: `file:${storage}` }),
});

const newFolder = ({ isOnDisk }: ServerForm) =>
  isOnDisk ? mkdtemp(join(tmpdir(), "service-sim-fuzz-")) : undefined;

/** Everything about the default world that a restart must not change. */
const keptPart = async ({ control }: TestSimulator) => {
  const { body: worlds } = await control("GET", "/worlds");
  const { body: ledger } = await control("GET", "/ledger");
  return { records: worlds.data[0].records, now: worlds.data[0].now, ledger };
};

/**
 * Opens a simulator that a campaign can call.
 * @param create of the sources, or of the build, whose pages are complete
 */
export const openFuzzedWorld = async (
  create: typeof createSimulator,
  form: ServerForm = formCalled("plain"),
): Promise<OpenFuzzedWorld> => {
  const alarms: string[] = [];
  const collect = collectGarbage();
  const receiver = await new Receiver().start();
  const accept = answering(answered(202));
  receiver.behaviour = (event, response, count) => {
    // What a receiver has got would count as memory of the simulator.
    receiver.received.length = 0;
    return accept(event, response, count);
  };
  const folder = await newFolder(form);
  const options = optionsOf(form, folder);
  const open = async (options: SimulatorOptions) => {
    const sim = await create({ ...options, onAlarm: (message) => alarms.push(message) });
    const token = options.tunnel ? { controlToken: sim.controlToken } : {};
    return { sim, token, calls: callsOf(sim, alarms, tokenHeader(token)) };
  };
  const { revision, ...first } = options;
  let served = await open(first);
  const { calls } = served;
  const ids: KnownIds = { ...(await populate(calls)), ...(await populateMore(calls, receiver)) };
  const restart = async () => {
    await served.sim.close();
    served = await open(options);
  };
  if (revision) {
    // Records are stored alike in every revision, and made as the first one has them. A snapshot
    // keeps the revision that it was made in.
    await restart();
    Object.assign(ids, await populateLater(served.calls, ids));
    await served.calls.control("PUT", "/snapshots/base");
    ids.snapshotFile = (await served.calls.control("GET", "/snapshots/base/export")).body;
  }
  const { sim, token } = served;
  const { port } = await sim.listen();
  return {
    port,
    ...token,
    ...(revision && { revision }),
    clientId: sim.clientId,
    clientSecret: sim.clientSecret,
    ids,
    fetch: (request) => sim.fetch(request),
    state: () => ({
      heapBytes: heapBytes(collect),
      alarms: [...alarms],
      polluted: Object.keys(Object.prototype),
    }),
    reopen: async () => {
      const before = await keptPart(served.calls);
      await restart();
      const after = await keptPart(served.calls);
      const isEqual = JSON.stringify(after) === JSON.stringify(before);
      return isEqual ? [] : ["a restart changed the records or the ledger"];
    },
    close: async () => {
      await served.sim.close();
      await receiver.stop();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};
