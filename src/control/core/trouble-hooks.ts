import { closestTo } from "../../contract/core/closest.ts";
import { EVENT_TYPES, type EventType, isEventType } from "../../contract/webhooks/events.ts";
import {
  LiftedTroubles,
  ReleaseInput,
  type TroubleInput,
  TroubleInput as TroubleShape,
  WebhookTrouble,
} from "../../contract/webhooks/troubles.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { addTrouble, releaseHeld } from "../../domain/webhooks/troubles.ts";
import { endpoint } from "./control-endpoint.ts";
import { findPresentId } from "./present-ids.ts";
import type { World } from "./world.ts";

const typeOf = (name: string | undefined): EventType | undefined => {
  if (name === undefined) return undefined;
  if (name === "TEST")
    return refuse(
      "INVALID_INPUT",
      { field: "type", value: name },
      "Expected a type of the world's own events but found TEST, which has no troubles",
    );
  if (isEventType(name)) return name;
  const closest = closestTo(name, EVENT_TYPES);
  return refuse("EVENT_TYPE_UNKNOWN", {
    type: name,
    ...(closest !== undefined && { closest }),
  });
};

const spanOf = (text: string | undefined) =>
  text === undefined
    ? undefined
    : (parseDuration(text) ?? refuse("INVALID_DURATION", { field: "by", value: text }));

/** The record that events tell of: of a quote they tell its payment. */
const aboutOf = (world: World, text: string | undefined) => {
  if (text === undefined) return undefined;
  const id = findPresentId(world, text);
  return world.engine.state.get("Quote", id)?.transactionId ?? id;
};

const inputOf = ({ do: does, type, about, times, by, anyRecord }: TroubleInput, world: World) => ({
  does,
  anyRecord,
  type: typeOf(type),
  about: aboutOf(world, about),
  times,
  byMs: spanOf(by),
});

/** Troubles for the world's own webhooks, which a fixture may set, too. */
export const troubleHooks = [
  endpoint({
    operationId: "addWebhookTrouble",
    summary: "Hold back, duplicate, reorder, delay or drop the world's own next webhooks",
    method: "POST",
    path: "/webhooks/troubles",
    body: TroubleShape,
    replies: [201, WebhookTrouble],
    refuses: [
      "EVENT_TYPE_UNKNOWN",
      "INVALID_DURATION",
      "INVALID_INPUT",
      "ID_NOT_FOUND",
      "ID_AMBIGUOUS",
    ],
    handle: ({ body }, { commit }, world) => commit(addTrouble, inputOf(body, world)),
  }),
  endpoint({
    operationId: "releaseWebhooks",
    summary: "Send held webhooks, one or all, and stop holding",
    method: "POST",
    path: "/webhooks/release",
    body: ReleaseInput,
    replies: [200, LiftedTroubles],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ body }, { commit }, world) => {
      const id = body?.id === undefined ? undefined : findPresentId(world, body.id, ["Delivery"]);
      return commit(releaseHeld, { id });
    },
  }),
];
