import type { Engine } from "../../../src/runtime/engine.ts";
import type { Feed } from "../../../src/runtime/feed.ts";
import type { Deliveries, IdTokenKeys } from "../../../src/runtime/ports.ts";
import type { LocalSimulator, SimulatorOptions } from "../../../src/simulator.ts";
import type { Call, Form } from "./call.ts";
import type { Chance } from "./chance.ts";
import { DiskCalls } from "./disk-calls.ts";
import { invariantProblem } from "./engine-checks.ts";
import type { Product } from "./product.ts";
import type { Receivers } from "./receivers.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";
import type { SimulatedHost } from "./simulated-host.ts";
import type { Seen } from "./world-model.ts";

/** A world of the process, as far as histories look into it. */
export interface WatchedWorld {
  readonly name: string;
  readonly engine: Engine;
  readonly deliveries: Deliveries;
  readonly feed: Feed;
}

interface Parts {
  product: Product;
  disk: SimulatedDisk;
  host: SimulatedHost;
  chance: Chance;
  receivers: Receivers;
  life: number;
  /** Names of the keys that issuers of tokens show now; nothing when they do not answer. */
  keys(): readonly string[] | undefined;
  options: SimulatorOptions;
  onAlarm(message: string): void;
  onWorld(world: WatchedWorld): void;
}

/** One life of the program, from its start to its end or a kill. */
export class SimulatedProcess {
  readonly worlds: WatchedWorld[] = [];
  private readonly parts: Parts;
  private sim: LocalSimulator | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
    const { product, disk, host, life, chance } = parts;
    product.forgetLeaving();
    product.forgetAlarms();
    Object.assign(product.hostTime, host.time());
    product.ports.disk = new DiskCalls(disk, life, host.later);
    product.ports.randomBytes = (size) =>
      Buffer.from(Array.from({ length: size }, () => chance.below(256)));
  }

  async open() {
    const { product, host, receivers, options, keys, onAlarm, onWorld } = this.parts;
    const edges = {
      ...product.MACHINE,
      wall: host.wall,
      send: receivers.send,
      keysFrom: (own: IdTokenKeys): IdTokenKeys => ({
        ...own,
        keysFor: async () => {
          const names = keys();
          const problem = names ? {} : { problem: "the issuer does not answer" };
          return { keys: (names ?? []).map((kid) => ({ kid })), ...problem };
        },
      }),
      watch: (world: { name: string; engine: Engine }) => {
        this.worlds.push(world as WatchedWorld);
        const problem = invariantProblem(world.engine.state);
        if (problem !== undefined) onAlarm(`${world.name} was read: ${problem}`);
        onWorld(world as WatchedWorld);
      },
    };
    this.sim = await product.createSimulator(product.withBoundary({ ...options, onAlarm }, edges));
  }

  get isOpen() {
    return this.sim !== undefined;
  }

  async close() {
    await this.sim?.close();
  }

  /** The world of a name that was begun last. */
  world(name: string): WatchedWorld | undefined {
    return this.worlds.findLast((world) => world.name === name);
  }

  forget(name: string) {
    for (let at = this.worlds.length - 1; at >= 0; at -= 1)
      if (this.worlds[at]?.name === name) this.worlds.splice(at, 1);
  }

  /** The credentials of a world's first token. */
  credentialsOf(world: string) {
    const sim = this.sim as LocalSimulator;
    const user = world === "sandbox" ? sim.clientId : `${sim.clientId}+${world}`;
    return `Basic ${btoa(`${user}:${sim.clientSecret}`)}`;
  }

  /** The headers that say who calls, and which world is meant. */
  private accessOf({ as, world }: Call): Record<string, string> {
    if (as === undefined) return { authorization: this.credentialsOf(world) };
    return { ...(as !== "" && { authorization: as }), "x-sim-world": world };
  }

  async fetch(call: Call): Promise<Seen> {
    const sim = this.sim as LocalSimulator;
    const { surface, method, path, body, key, world } = call;
    const mark = path.includes("?") ? "&" : "?";
    const url =
      surface === "platform"
        ? sim.apiUrl + path
        : `${sim.controlUrl}${path}${mark}world=${encodeURIComponent(world)}`;
    const sent = call.form ? formBody(call.form) : body === undefined ? {} : jsonBody(body);
    const headers = {
      ...(surface === "platform" && this.accessOf(call)),
      ...(key !== undefined && { "idempotency-key": key }),
      ...sent.headers,
      ...call.headers,
    };
    const init = { method, headers, ...(sent.body !== undefined && { body: sent.body }) };
    const response = await sim.fetch(new Request(url, init));
    const text = call.isStream ? await startStateOf(response) : await response.text();
    return { status: response.status, text };
  }
}

interface SentBody {
  headers?: Record<string, string>;
  body?: string;
}

const jsonBody = (body: unknown): SentBody => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const BOUNDARY = "history-boundary";

/** A form written by hand: boundaries of the platform's own are drawn again each time. */
const formBody = ({ fields, fileName, file }: Form): SentBody => {
  const part = (name: string, more: string, text: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  const texts = Object.entries(fields).map(([name, text]) => part(name, "", text));
  const body = [...texts, part("file", `; filename="${fileName}"`, file)].join("");
  return {
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${body}--${BOUNDARY}--\r\n`,
  };
};

/** The first piece of a stream, which is then left. */
const startStateOf = async ({ body }: Response): Promise<string> => {
  const reader = body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
};
