import { ENDPOINTS_OF_ANY_REVISION } from "../../api/endpoints.ts";
import type { DescribedApi, DescribedOperation } from "../../conform/described-api.ts";
import { bodyIn, type Exchange } from "../../conform/traffic.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { MAX_DOCUMENT_BYTES } from "../../contract/customers/documents.ts";
import { coverageItems } from "../../coverage/coverage-items.ts";
import { ExerciseFailure, runExercise } from "../../coverage/exercise-run.ts";
import { exerciseSteps } from "../../coverage/exercises.ts";
import { BODY_LIMIT_BYTES } from "../../http/body/request-body.ts";
import { sendInProcess } from "../../scripts/in-process-send.ts";
import {
  controlPath,
  jsonCall,
  type ScriptAnswer,
  type ScriptCall,
  type Send,
} from "../../scripts/script-call.ts";
import {
  createSimulator,
  type LocalSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../simulator.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const TOO_LARGE = JSON.stringify("x".repeat(BODY_LIMIT_BYTES));
const TOO_LARGE_FOR_FILES = JSON.stringify("x".repeat(MAX_DOCUMENT_BYTES + BODY_LIMIT_BYTES));

/** A pair of an operation and a status that was met, and by which way first. */
export interface SweptPair {
  operation: string;
  status: string;
  by: "call" | "fault switch";
}

/** Traffic of a sweep, and how each pair was met. */
export interface Sweep {
  exchanges: Exchange[];
  pairs: SweptPair[];
}

/** Sends calls to worlds of one simulator, and keeps the traffic of the platform. */
class Sweeper {
  readonly exchanges: Exchange[] = [];
  private readonly met = new Map<string, SweptPair>();
  private readonly api: DescribedApi;
  private by: SweptPair["by"] = "call";

  constructor(api: DescribedApi) {
    this.api = api;
  }

  pairs(): SweptPair[] {
    return [...this.met.values()];
  }

  has(operation: string, status: string) {
    return this.met.has(`${operation} ${status}`);
  }

  /** Does something whose answers come from fault switches. */
  async byFaults(work: () => Promise<void>) {
    this.by = "fault switch";
    await work();
  }

  /** Makes the calls of a world, and keeps those of the platform. */
  senderTo(sim: Simulator): Send {
    const send = sendInProcess(sim);
    return async (call) => {
      const answer = await send(call);
      if (answer !== "lost" && controlPath(call) === undefined) this.keep(call, answer);
      return answer;
    };
  }

  async keepWebhooks(sim: Simulator) {
    const { data } = await sim.webhooks.list({ limit: 100 });
    for (const { id } of data) {
      const { body } = await sim.webhooks.get(id);
      this.exchanges.push({ kind: "webhook", body: bodyIn(body) });
    }
  }

  private keep({ method, path, headers, body }: ScriptCall, answer: ScriptAnswer) {
    const { status, body: responseBody } = answer;
    // A form is described by its parts, which no JSON has.
    const isForm = headers["content-type"]?.startsWith("multipart/") === true;
    const requestBody = isForm || !body ? undefined : bodyIn(Buffer.from(body).toString("utf8"));
    this.exchanges.push({ kind: "call", method, path, status, requestBody, responseBody });
    const operation = this.api.operationOf(method, path);
    const reply = operation && this.api.replyOf(operation, status);
    if (!operation || !reply) return;
    const pair = { operation: operation.name, status: reply.status, by: this.by };
    const key = `${pair.operation} ${pair.status}`;
    if (!this.met.has(key)) this.met.set(key, pair);
  }
}

/** A path with ids of nobody in place of its parameters. */
const nobodyAt = (path: string) => path.replace(/\{(\w+)\}/g, NOBODY);

/** Calls that every operation refuses in its own way: no credentials, no rights, wrong bodies. */
const refusedCalls = ({ method, path, body }: DescribedOperation, viewer: string): ScriptCall[] => {
  const at = jsonCall(method, nobodyAt(path));
  const hasParams = path.includes("{");
  const signedIn = (authorization: string) => ({ ...at, headers: { authorization } });
  const sent = (text: string, type = "application/json") => ({
    ...at,
    headers: { "content-type": type },
    body: Buffer.from(text),
  });
  const calls = [
    signedIn("Basic bm9ib2R5Om5vYm9keQ=="),
    signedIn(viewer),
    at,
    // No text at all, as percent-encoding.
    ...(hasParams ? [jsonCall(method, path.replace(/\{\w+\}/g, "%zz"))] : []),
    { ...at, path: `${at.path}?limit=none&startDate=none&page=none` },
  ];
  if (body === undefined) return calls;
  const large = body === "any" ? TOO_LARGE_FOR_FILES : TOO_LARGE;
  return [...calls, sent("{"), sent("{}"), sent("text", "text/plain"), sent(large)];
};

/** Groups whose exercises have a fault switch answer with any code, also one not described there. */
const BY_FAULTS: ReadonlySet<string> = new Set(["errors", "statuses"]);

/** Makes the exercises of the coverage, each in a world of its own. */
const sweepExercises = async (sim: LocalSimulator, sweeper: Sweeper, revision?: Revision) => {
  for (const { group, items } of coverageItems(revision).filter((one) => !BY_FAULTS.has(one.group)))
    for (const name of items) {
      const world = await sim.fork();
      try {
        await runExercise(exerciseSteps({ group, name }), sweeper.senderTo(world));
      } catch (error) {
        // Calls made by then count; what they did not meet is told as never met.
        if (!(error instanceof ExerciseFailure)) throw error;
      }
      await sweeper.keepWebhooks(world);
      await world.close();
    }
};

/** Makes the calls that operations refuse. */
const sweepRefusals = async (api: DescribedApi, sim: LocalSimulator, sweeper: Sweeper) => {
  const { clientId, clientSecret } = await sim.call.createToken({
    body: { name: "viewer", permissions: ["VIEW"] },
  });
  const viewer = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  const send = sweeper.senderTo(sim);
  for (const operation of api.operations)
    for (const call of refusedCalls(operation, viewer)) await send(call);
};

const isStatus = (status: string) => /^[45]\d\d$/.test(status);

/** Has fault switches answer what no call has met. */
const sweepFaults = (api: DescribedApi, sim: LocalSimulator, sweeper: Sweeper) =>
  sweeper.byFaults(async () => {
    const send = sweeper.senderTo(sim);
    const ours = new Map(
      ENDPOINTS_OF_ANY_REVISION.map((one) => [`${one.method} ${one.path}`, one.operationId]),
    );
    for (const operation of api.operations)
      for (const { status } of operation.replies) {
        const id = ours.get(operation.name);
        if (id === undefined || !isStatus(status) || sweeper.has(operation.name, status)) continue;
        const fault = { match: { operation: id, times: 1 }, fault: { status: Number(status) } };
        const { id: faultId } = await sim.faults.add(fault);
        const { method, path } = operation;
        await send(jsonCall(method, nobodyAt(path)));
        await sim.faults.remove(faultId);
      }
  });

/**
 * Drives a simulator of its own through the operations of a document: by calls of every exercise, by
 * calls that are refused, and where none is left by fault switches.
 */
export const sweep = async (
  api: DescribedApi,
  options: Pick<SimulatorOptions, "brand" | "revision"> = {},
): Promise<Sweep> => {
  const sim = await createSimulator({
    ...options,
    seed: "sweep",
    clock: "manual",
    now: "2026-01-05T09:00:00.000Z",
    webhookTimeoutMs: 200,
  });
  try {
    const sweeper = new Sweeper(api);
    await sweepExercises(sim, sweeper, options.revision);
    await sweepRefusals(api, sim, sweeper);
    await sweepFaults(api, sim, sweeper);
    return { exchanges: sweeper.exchanges, pairs: sweeper.pairs() };
  } finally {
    await sim.close();
  }
};
