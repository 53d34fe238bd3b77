import { REFUSALS } from "../contract/refusals.ts";
import { errorBody, type Refusal } from "../domain/refusal.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import type { Surface } from "../http/routes.ts";
import { clockEndpoints } from "./clock.ts";
import { contractEndpoints } from "./contract.ts";
import { eventEndpoints } from "./events.ts";
import { type GuardOptions, guardControl } from "./host-guard.ts";
import { instanceEndpoints } from "./instance.ts";
import { ledgerEndpoints } from "./ledger.ts";
import { operatorEndpoints } from "./operator.ts";
import { outcomeEndpoints } from "./outcomes.ts";
import { requestEndpoints } from "./requests.ts";
import { seedEndpoints } from "./seed.ts";
import { timerEndpoints } from "./timers.ts";
import { webhookEndpoints } from "./webhooks.ts";
import { whyEndpoints } from "./why.ts";
import type { WorldControl } from "./world-control.ts";

export const CONTROL_BASE = "/_sim";

/** Answered to anyone who can reach the port: they tell nothing and change nothing. */
const OPEN_OPERATIONS = new Set(["live", "ready", "webhookKey"]);

/** Errors of the control surface: what is wrong, and the command that helps. */
const controlError = (refusal: Refusal): Reply => {
  const { status, next } = REFUSALS[refusal.word];
  const { code, message, details } = errorBody(refusal);
  const sentence = message.slice(0, message.lastIndexOf(". "));
  const error = { code, message: sentence, next: [next], ...(details && { details }) };
  return {
    ...jsonReply(status, { error }),
    headers: status === 503 ? { "retry-after": "1" } : {},
  };
};

/** The simulator's own HTTP surface, for the command line, tests and tools. */
export const controlSurface = (control: WorldControl, guard: GuardOptions): Surface => ({
  base: CONTROL_BASE,
  isUnlogged: true,
  endpoints: [
    ...instanceEndpoints(control),
    ...seedEndpoints(control),
    ...clockEndpoints(control),
    ...timerEndpoints(control),
    ...webhookEndpoints(control),
    ...requestEndpoints(control),
    ...whyEndpoints(control),
    ...eventEndpoints(control),
    ...outcomeEndpoints(),
    ...ledgerEndpoints(control),
    ...operatorEndpoints(),
    ...contractEndpoints(control),
  ],
  admit: (request: Request, endpoint: Endpoint | undefined) => {
    if (!endpoint || !OPEN_OPERATIONS.has(endpoint.operationId)) guardControl(request, guard);
  },
  errorReply: controlError,
});
