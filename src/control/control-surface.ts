import * as z from "zod";
import type { ControlError } from "../contract/control/errors.ts";
import type { JsonValue } from "../contract/control/values.ts";
import { errorBody, type Refusal, sentencesOf } from "../domain/core/refusal.ts";
import { PLATFORM_CALLER } from "../http/door/call.ts";
import type { Endpoint } from "../http/door/endpoint.ts";
import type { WorldRequest } from "../http/door/served-world.ts";
import type { Surface } from "../http/door/surface.ts";
import { isHop } from "../http/hop/hop-server.ts";
import { headersOfRefusal, jsonReply, type Reply } from "../http/message/reply.ts";
import { approvalEndpoints } from "./approvals.ts";
import { callEndpoints } from "./call.ts";
import { capsuleEndpoints } from "./capsule.ts";
import { clockEndpoints } from "./clock.ts";
import { clockPreviewEndpoints } from "./clock-preview.ts";
import { clusterEndpoints } from "./cluster.ts";
import { consoleEndpoints } from "./console.ts";
import { approvalModeEndpoints } from "./core/approval-mode.ts";
import { codeHooks } from "./core/code-hooks.ts";
import { controlledWorld, namesWorld } from "./core/controlled-world.ts";
import { entryEndpoints } from "./core/entry.ts";
import { guardControl } from "./core/host-guard.ts";
import { nextOutcomeHooks } from "./core/next-outcome-hooks.ts";
import { openApiEndpoints } from "./core/openapi-documents.ts";
import { operatorEndpoints } from "./core/operator.ts";
import { rateLimitEndpoints } from "./core/rate-limit.ts";
import { wholeIdEndpoints } from "./core/whole-ids.ts";
import type { World } from "./core/world.ts";
import { coverageEndpoints } from "./coverage.ts";
import { docsEndpoints } from "./docs.ts";
import { faultEndpoints } from "./faults.ts";
import { balanceSeriesEndpoints } from "./feed/balance-series.ts";
import { eventEndpoints } from "./feed/events.ts";
import { ledgerEndpoints } from "./feed/ledger.ts";
import { rowEndpoints } from "./feed/rows.ts";
import { inboxEndpoints } from "./inbox.ts";
import { instanceEndpoints } from "./instance.ts";
import { lifecycleEndpoints } from "./lifecycles.ts";
import { nextOutcomeEndpoints } from "./next-outcomes.ts";
import { oidcEndpoints } from "./oidc.ts";
import { outcomeEndpoints } from "./outcomes.ts";
import { diffEndpoints } from "./past/diff.ts";
import { historyEndpoints } from "./past/history.ts";
import { rewindEndpoints } from "./past/rewind.ts";
import { snapshotEndpoints } from "./past/snapshots.ts";
import { policyEndpoints } from "./policies.ts";
import { recordEndpoints } from "./records.ts";
import { seedEndpoints } from "./seed/seed.ts";
import { timerChangeEndpoints } from "./timer-changes.ts";
import { timerEndpoints } from "./timers.ts";
import { webhookCaEndpoints } from "./webhooks/webhook-ca.ts";
import { webhookKeyEndpoints } from "./webhooks/webhook-keys.ts";
import { webhookLabEndpoints } from "./webhooks/webhook-lab.ts";
import { webhookResendEndpoints } from "./webhooks/webhook-resend.ts";
import { webhookTroubleEndpoints } from "./webhooks/webhook-troubles.ts";
import { webhookEndpoints } from "./webhooks/webhooks.ts";
import { requestEndpoints } from "./why/requests.ts";
import { whyEndpoints } from "./why/why.ts";
import { worldEndpoints } from "./worlds.ts";

export const CONTROL_BASE = "/_sim";

/** Answered to anyone who can reach the port: they reveal nothing and change nothing. */
const OPEN_OPERATIONS = new Set([
  "index",
  "favicon",
  "console",
  "consoleFile",
  "docs",
  "docsOfFolder",
  "docsPage",
  "live",
  "ready",
  "webhookKey",
  "oidcDiscovery",
  "oidcKeys",
]);

/** Whether an operation is answered to anyone who can reach the port. */
export const isOpenOperation = ({ operationId }: Pick<Endpoint, "operationId">) =>
  OPEN_OPERATIONS.has(operationId);

/** Shows an error of the control surface with the command that helps. */
const controlError = (refusal: Refusal): Reply => {
  const { code, status, details } = errorBody(refusal);
  const { says, next } = sentencesOf(refusal);
  const shownDetails = details && { details: details as Record<string, JsonValue> };
  const body: ControlError = { error: { code, message: says, next: [next], ...shownDetails } };
  return { ...jsonReply(status, body), headers: headersOfRefusal(refusal) };
};

/** Every operation of the control surface. */
export const CONTROL_ENDPOINTS: readonly Endpoint<World>[] = [
  ...entryEndpoints,
  ...instanceEndpoints,
  ...clusterEndpoints,
  ...worldEndpoints,
  ...capsuleEndpoints,
  ...seedEndpoints,
  ...clockEndpoints,
  ...clockPreviewEndpoints,
  ...historyEndpoints,
  ...rewindEndpoints,
  ...snapshotEndpoints,
  ...diffEndpoints,
  ...timerEndpoints,
  ...timerChangeEndpoints,
  ...webhookCaEndpoints,
  ...webhookKeyEndpoints,
  ...webhookTroubleEndpoints,
  ...webhookEndpoints,
  ...webhookResendEndpoints,
  ...webhookLabEndpoints,
  ...callEndpoints,
  ...requestEndpoints,
  ...whyEndpoints,
  ...wholeIdEndpoints,
  ...recordEndpoints,
  ...inboxEndpoints,
  ...codeHooks,
  ...eventEndpoints,
  ...rowEndpoints,
  ...outcomeEndpoints,
  ...lifecycleEndpoints,
  ...nextOutcomeHooks,
  ...nextOutcomeEndpoints,
  ...coverageEndpoints,
  ...ledgerEndpoints,
  ...balanceSeriesEndpoints,
  ...policyEndpoints,
  ...faultEndpoints,
  ...rateLimitEndpoints,
  ...approvalEndpoints,
  ...approvalModeEndpoints,
  ...oidcEndpoints,
  ...operatorEndpoints,
  ...openApiEndpoints,
  ...consoleEndpoints,
  ...docsEndpoints,
];

/** A call of the control surface, as the reference shows it. */
export interface ControlCall {
  method: string;
  /** Below the server's origin: `/_sim/clock`. */
  path: string;
  summary: string;
  query: readonly string[];
  /** Members of the body; a question mark follows those that may be left out. */
  body: readonly string[];
  /** Answered to anyone who can reach the port. */
  isOpen: boolean;
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: readonly string[];
  /** A shape with a name stands among the definitions. */
  $ref?: string;
  $defs?: Record<string, ObjectSchema>;
}

const membersOf = ({ body }: Pick<Endpoint, "body">) => {
  if (!body) return [];
  const whole = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as ObjectSchema;
  const schema = whole.$defs?.[whole.$ref?.replace("#/$defs/", "") ?? ""] ?? whole;
  const required = new Set(schema.required);
  return Object.keys(schema.properties ?? {}).map((name) =>
    required.has(name) ? name : `${name}?`,
  );
};

/** Every call of the control surface. */
export const controlCalls = (): ControlCall[] =>
  CONTROL_ENDPOINTS.map((endpoint) => ({
    method: endpoint.method,
    path: CONTROL_BASE + endpoint.path,
    summary: endpoint.summary,
    query: Object.keys(endpoint.query),
    body: membersOf(endpoint),
    isOpen: isOpenOperation(endpoint),
  }));

/** Whether anyone who can reach the port gets an answer: never of a world that the call names. */
const isForAll = (worldRequest: WorldRequest, endpoint: Endpoint<World> | undefined) =>
  endpoint !== undefined &&
  isOpenOperation(endpoint) &&
  (endpoint.isWorldless || !namesWorld(worldRequest));

/** The simulator's own HTTP surface, for the command line, tests and tools. */
export const CONTROL_SURFACE: Surface<World> = {
  base: CONTROL_BASE,
  isUnlogged: true,
  endpoints: CONTROL_ENDPOINTS,
  locate: (worldRequest, endpoint, worlds) => {
    // First of all, since a foreign page must not learn the names of worlds. The process that a call
    // came to has looked already.
    if (!isForAll(worldRequest, endpoint) && !isHop(worldRequest.request))
      guardControl(worldRequest.request, worlds.starting.guard);
    return controlledWorld(worldRequest, endpoint, worlds);
  },
  admit: () => PLATFORM_CALLER,
  errorReply: controlError,
};
