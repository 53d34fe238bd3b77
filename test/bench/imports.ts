import { csvOf, formOf, person } from "../setup/uploads.ts";
import type { Figure } from "./figure.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const ROWS = 20_000;
const ROUNDS = 3;
/** The longest that a call may have to wait for the event loop. */
const STRETCH_LIMIT_MS = 50;
/** Time that the import continues before its process is killed. */
const IMPORT_BEFORE_KILL_MS = 200;
const LIVE_LIMIT_MS = 30_000;

const liveMs = async (origin: string): Promise<number> => {
  const startedMs = performance.now();
  await (await fetch(`${origin}/_sim/live`)).text();
  return performance.now() - startedMs;
};

const originOf = ({ apiUrl }: SimulatorProcess) => new URL(apiUrl).origin;

interface Upload {
  type: string;
  bytes: ArrayBuffer;
}

/** Bytes of an upload, made before anything is measured: this process measures as well. */
const uploadOf = async (): Promise<Upload> => {
  const csv = csvOf(Array.from({ length: ROWS }, (_, n) => person(n)));
  const file = { fileName: "customers.csv", bytes: new TextEncoder().encode(csv) };
  const form = new Response(formOf({}, file));
  return { type: form.headers.get("content-type") ?? "", bytes: await form.arrayBuffer() };
};

/** Starts an import; resolves when it is answered, which is before its first row. */
const postRows = async (
  { apiUrl, authorization }: SimulatorProcess,
  { type, bytes }: Upload,
): Promise<void> => {
  const headers = { authorization, "content-type": type };
  const sent = { method: "POST", headers, body: bytes };
  const answer = await fetch(`${apiUrl}/customers/bulk/csv`, sent);
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`Expected a job but found ${text}`);
};

/** The longest answer of `live` between the upload and the last row. */
const longestLiveMs = async (workplace: Workplace): Promise<number> => {
  const simulator = await startSimulator(workplace, ["--storage", "file:state"]);
  const origin = originOf(simulator);
  // The first call of this process loads `fetch`, which is not the simulator's time.
  await liveMs(origin);
  const upload = await uploadOf();
  let isOver = false;
  let longestMs = 0;
  const watching = (async () => {
    while (!isOver) longestMs = Math.max(longestMs, await liveMs(origin));
  })();
  await postRows(simulator, upload);
  // A call of the platform waits until every due timer has fired.
  await simulator.call("GET", "/config");
  isOver = true;
  await watching;
  await workplace.end(simulator.child);
  return longestMs;
};

const spawnToLiveMs = async (workplace: Workplace, cwd: string, port: string): Promise<number> => {
  const startedMs = performance.now();
  const options = ["--port", port, "--json", "--storage", "file:state"];
  const child = workplace.start([workplace.build.serviceSim, "start", ...options], cwd);
  for (;;) {
    const isLive = await liveMs(`http://127.0.0.1:${port}`).catch(() => undefined);
    if (isLive !== undefined) break;
    if (performance.now() - startedMs > LIVE_LIMIT_MS)
      throw new Error("Expected /_sim/live to answer but found nothing");
  }
  const tookMs = performance.now() - startedMs;
  child.kill();
  return tookMs;
};

/**
 * Time from a start until `live` answers: of a state with an import that was cut off, and of a new
 * one.
 */
const restartPair = async (workplace: Workplace) => {
  const simulator = await startSimulator(workplace, ["--storage", "file:state"]);
  await postRows(simulator, await uploadOf());
  await new Promise((resolve) => setTimeout(resolve, IMPORT_BEFORE_KILL_MS));
  simulator.child.kill();
  const { port } = new URL(simulator.apiUrl);
  await workplace.end(simulator.child);
  const measured = await spawnToLiveMs(workplace, simulator.cwd, port);
  return { measured, floor: await spawnToLiveMs(workplace, workplace.directory(), port) };
};

const inRounds = async <Measured>(measure: () => Promise<Measured>): Promise<Measured[]> => {
  const found: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) found.push(await measure());
  return found;
};

/** Waiting times of other calls during an import of many customers. */
export const importFigures: readonly Figure[] = [
  {
    name: `longest wait for live, import of ${ROWS.toLocaleString("en-US")} rows`,
    floor: `${STRETCH_LIMIT_MS} ms`,
    unit: "ms",
    target: { atMost: 1 },
    measure: async (workplace) => {
      const waits = await inRounds(() => longestLiveMs(workplace));
      return waits.map((measured) => ({ measured, floor: STRETCH_LIMIT_MS }));
    },
  },
  {
    name: `start to live, in the middle of an import of ${ROWS.toLocaleString("en-US")} rows`,
    floor: "of new state",
    unit: "ms",
    measure: (workplace) => inRounds(() => restartPair(workplace)),
  },
];
