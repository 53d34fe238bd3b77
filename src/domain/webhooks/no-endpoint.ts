import { refuse } from "../core/refusal.ts";

const NEXT = "service-sim webhooks endpoint http://127.0.0.1:3000      sets one";

/** Refuses to send while no endpoint is set, and names the command that sets one. */
export const refuseWithoutEndpoint = (): never =>
  refuse("WEBHOOK_ENDPOINT_NOT_SET", {}, { next: NEXT });
