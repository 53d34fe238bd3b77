import { LiftedTroubles, WebhookTroubles } from "../../contract/webhooks/troubles.ts";
import { heldIn, liftTroubles, showTrouble, troublesOf } from "../../domain/webhooks/troubles.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { findId } from "../core/find-id.ts";
import { troubleHooks } from "../core/trouble-hooks.ts";

/** Troubles of the world's own webhooks, and lifting them. */
export const webhookTroubleEndpoints = [
  ...troubleHooks,
  endpoint({
    operationId: "webhookTroubles",
    summary: "Troubles for the world's own webhooks, oldest first",
    method: "GET",
    path: "/webhooks/troubles",
    replies: [200, WebhookTroubles],
    refuses: [],
    handle: (_input, { read }) =>
      read(
        (view) => ({ data: troublesOf(view).map(showTrouble), held: heldIn(view).length }),
        undefined,
      ),
  }),
  endpoint({
    operationId: "liftWebhookTroubles",
    summary: "End all troubles and send held webhooks",
    method: "DELETE",
    path: "/webhooks/troubles",
    replies: [200, LiftedTroubles],
    refuses: [],
    handle: (_input, { commit }) =>
      commit(
        (draft) =>
          liftTroubles(
            draft,
            troublesOf(draft).map(({ id }) => id),
          ),
        undefined,
      ),
  }),
  endpoint({
    operationId: "liftWebhookTrouble",
    summary: "End one trouble and send the webhooks it holds; a short id is enough",
    method: "DELETE",
    path: "/webhooks/troubles/{troubleId}",
    replies: [200, LiftedTroubles],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { troubleId } }, { commit }, { engine }) => {
      const id = findId(engine.state, troubleId, ["Trouble"]);
      return commit((draft) => liftTroubles(draft, [id]), undefined);
    },
  }),
];
