import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { startBareServer } from "../bare-process.ts";
import type { Child } from "../child.ts";
import { pairsInTurn } from "../figure.ts";
import { type LoadedRate, type LoadedServer, loadedRate } from "../loaded-server.ts";
import { json } from "../platform-call.ts";
import { requireProc, residentMiB } from "../proc.ts";
import { type Load, postQuotes } from "../quote-load.ts";
import { median, ratiosOf } from "../ratios.ts";
import { startSimulator } from "../simulator-process.ts";
import type { Workplace } from "../workplace.ts";
import { installInto, requireProgram } from "./install.ts";
import { PEERS, type Peer, type Served } from "./peers.ts";

const STARTS = 3;
const READY_LIMIT_MS = 60_000;
const POLL_MS = 5;
const IDLE_MS = 3_000;
/** Some peers take long to become fast. */
const ROUNDS = { warmUps: 2, pairs: 3 };
const SECONDS = 2;

/** A server's figures, or the sentence why there are none. */
export type PeerResult = { name: string } & (
  | {
      readyMs: number;
      residentMiB: number;
      get: Rate;
      post: Rate;
    }
  | { why: string }
);

/** Requests a second, also as a ratio to a bare server beside it, and CPU time of a request. */
export interface Rate extends LoadedRate {
  ratio: number;
}

/** A server that answers, and what to send to it. */
interface Running {
  child: Child;
  get: Load;
  post: Load;
  /** The process that answers, if it is another one. */
  loaded?: Child;
}

interface Contender {
  name: string;
  start(): Promise<Running>;
}

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** Waits for the first success of a load. */
const becomesReady = async ({ url, authorization }: Load) => {
  const startedMs = performance.now();
  let found = "no answer";
  while (performance.now() - startedMs < READY_LIMIT_MS) {
    const answer = await fetch(url, { headers: { authorization } }).catch(() => undefined);
    await answer?.text();
    if (answer?.ok) return;
    if (answer) found = String(answer.status);
    await pause(POLL_MS);
  }
  throw new Error(`Expected a success of ${url} but found ${found}`);
};

/** Our own answers, and the requests to send to everyone. */
const ourTask = async (workplace: Workplace) => {
  const simulator = await startSimulator(workplace, ["--storage", "file:state"]);
  const { load: post, answer } = await postQuotes(simulator);
  const { id } = JSON.parse(answer.text) as { id: string };
  const get: Load = { method: "GET", url: `${post.url}/${id}`, authorization: post.authorization };
  const read = await simulator.call("GET", `/quotes/${id}`);
  await json(Promise.resolve(read));
  return { child: simulator.child, get, post, answers: { get: read, post: answer } };
};

type Ours = Awaited<ReturnType<typeof ourTask>>;

const onOrigin = (load: Load, origin: string, path: (apiPath: string) => string): Load => {
  const { pathname } = new URL(load.url);
  const [, version = "", ...rest] = pathname.split("/");
  return { ...load, url: `${origin}${path(`/${version}`)}/${rest.join("/")}` };
};

const writeDocument = async (workplace: Workplace): Promise<string> => {
  const cwd = workplace.directory();
  const child = workplace.start([workplace.build.serviceSim, "openapi"], cwd);
  return workplace.file(JSON.parse(await child.text(READY_LIMIT_MS)) as object);
};

const contenderOf = async (
  workplace: Workplace,
  peer: Peer,
  given: { ours: Ours; document: string },
): Promise<Contender> => {
  if (peer.program !== undefined) await requireProgram(peer.program);
  const folder = workplace.directory();
  await installInto(folder, peer.packages);
  return {
    name: peer.name,
    start: async () => {
      const { document, ours } = given;
      const served: Served = { folder, document, port: await freePort(), answers: ours.answers };
      const by = { ...(peer.program !== undefined && { program: peer.program }) };
      // Logs and settings of its own stay in the folder.
      const env = { HOME: folder };
      const child = workplace.start(peer.argsOf(served), folder, { ...by, env });
      const origin = `http://127.0.0.1:${served.port}`;
      const get = onOrigin(ours.get, origin, peer.base);
      await becomesReady(get);
      return { child, get, post: onOrigin(ours.post, origin, peer.base) };
    },
  };
};

const ownContenders = (
  workplace: Workplace,
  { child: ours, answers, get, post }: Ours,
): Contender[] => [
  {
    name: "bare node:http",
    start: async () => {
      const { child, url } = await startBareServer(workplace, answers.get);
      const bare = { ...get, url };
      await becomesReady(bare);
      return { child, get: bare, post: { ...post, url } };
    },
  },
  {
    name: "service-sim",
    start: async () => {
      const simulator = await startSimulator(workplace, ["--storage", "file:state"]);
      const { authorization, apiUrl } = simulator;
      await becomesReady({ method: "GET", url: `${apiUrl}/config`, authorization });
      return { child: simulator.child, loaded: ours, get, post };
    },
  },
];

const rateOf = async (
  workplace: Workplace,
  server: LoadedServer,
  bare: LoadedServer,
): Promise<Rate> => {
  const rates: LoadedRate[] = [];
  const pairs = await pairsInTurn(ROUNDS, {
    measured: async () => {
      rates.push(await loadedRate(workplace, server, SECONDS));
      return rates.at(-1)?.perSecond ?? 0;
    },
    floor: async () => (await loadedRate(workplace, bare, SECONDS)).perSecond,
  });
  const counted = rates.slice(ROUNDS.warmUps);
  return {
    perSecond: median(counted.map(({ perSecond }) => perSecond)),
    processorUs: median(counted.map(({ processorUs }) => processorUs)),
    ratio: ratiosOf(pairs).median,
  };
};

const measureContender = async (
  workplace: Workplace,
  contender: Contender,
  bare: Running,
): Promise<PeerResult> => {
  const { name } = contender;
  const readyMs: number[] = [];
  for (let start = 0; ; start += 1) {
    const startedMs = performance.now();
    const running = await contender.start();
    readyMs.push(performance.now() - startedMs);
    if (start < STARTS) {
      await workplace.end(running.child);
      continue;
    }
    await pause(IDLE_MS);
    const resident = residentMiB(running.child.pid);
    const rate = (what: "get" | "post") =>
      rateOf(
        workplace,
        { child: running.loaded ?? running.child, load: running[what] },
        { child: bare.child, load: bare[what] },
      );
    const get = await rate("get");
    const post = await rate("post");
    await workplace.end(running.child);
    // The first start reads from disk what later ones find in memory.
    return { name, readyMs: median(readyMs.slice(1)), residentMiB: resident, get, post };
  }
};

/** Measures peers beside a bare server and ourselves; whoever cannot be measured has a reason. */
export const measurePeers = async (workplace: Workplace): Promise<PeerResult[]> => {
  requireProc();
  const ours = await ourTask(workplace);
  const document = await writeDocument(workplace);
  const [floor, simulator] = ownContenders(workplace, ours);
  const bare = await (floor as Contender).start();
  const results: PeerResult[] = [];
  const measure = async (name: string, contender: () => Promise<Contender>) => {
    process.stderr.write(`measuring ${name}\n`);
    try {
      results.push(await measureContender(workplace, await contender(), bare));
    } catch (error) {
      const why = (error as Error).message;
      process.stderr.write(`NOT MEASURED: ${name}: ${why}\n`);
      results.push({ name, why });
    }
  };
  await measure("bare node:http", async () => floor as Contender);
  await measure("service-sim", async () => simulator as Contender);
  for (const peer of PEERS)
    await measure(peer.name, () => contenderOf(workplace, peer, { ours, document }));
  return results;
};
