import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import type { Endpoint } from "../../../src/http/door/endpoint.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";

/** One operation of the platform, with the facts that tests need to call it. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  permission: string;
  /** The caller: the platform with its API token, an agent with its own, or anyone. */
  calledBy: "platform" | "agent" | "anybody";
  /** Names of the path's parameters. */
  params: string[];
  /** Names of the query's parameters. */
  query: string[];
  /** The operation takes a JSON body; with `takesUpload`, a form with a file. */
  takesBody: boolean;
  takesUpload: boolean;
}

const callerOf = ({ agentAccess, permission }: Endpoint): Operation["calledBy"] => {
  if (agentAccess) return "agent";
  return permission === "none" ? "anybody" : "platform";
};

export const OPERATIONS: Operation[] = PLATFORM_ENDPOINTS.map((endpoint) => ({
  operationId: endpoint.operationId,
  method: endpoint.method,
  path: endpoint.path,
  permission: endpoint.permission,
  calledBy: callerOf(endpoint),
  params: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
  query: Object.keys(endpoint.query),
  takesBody: endpoint.body !== undefined && endpoint.upload === undefined,
  takesUpload: endpoint.upload !== undefined,
}));

/** The operation's path with every parameter replaced by one text. */
export const pathWith = ({ path }: Operation, id: string) => path.replace(/\{\w+\}/g, () => id);

const MOST_LOOKS = 100;

/** State that a refused call must not change: the journal, the ledger, the outbox. */
export const fingerprintOf = async ({ control }: TestSimulator) => {
  let { body: status } = await control("GET", "/status");
  // A webhook that is under way ends in the next turns; one to a receiver that hangs does not.
  for (let looks = 0; looks < MOST_LOOKS && status.webhooks.waiting > 0; looks += 1)
    ({ body: status } = await control("GET", "/status"));
  const { body: ledger } = await control("GET", "/ledger");
  const { storage, webhooks, timers, now } = status;
  return { records: storage.records, webhooks, timers, now, ledger };
};
