import * as z from "zod";
import { BooleanQuery } from "../../contract/core/lists.ts";
import { StreamReply } from "../../http/message/stream-reply.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { Feed } from "../../runtime/feed.ts";
import type { FeedItem, SubscribeOptions, Subscription } from "../../runtime/feed-subscription.ts";
import { endpoint } from "../core/control-endpoint.ts";

/** A comment is sent this often, so that a connection that is gone is noticed; wall milliseconds. */
const KEEP_ALIVE_MS = 15_000;

const encoder = new TextEncoder();

const frameOf = ({ id, event, data }: FeedItem) =>
  encoder.encode(
    `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  );

const comment = (text: string) => encoder.encode(`: ${text}\n\n`);

/** A subscription as server-sent events; whoever stops reading it cancels it. */
const streamOf = (subscription: Subscription): ReadableStream<Uint8Array> => {
  let keepAlive: NodeJS.Timeout;
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(comment("service-sim"));
      keepAlive = hostTime.setInterval(() => {
        if (subscription.hasEnded) hostTime.clearInterval(keepAlive);
        else if ((controller.desiredSize ?? 0) > 0) controller.enqueue(comment("still here"));
      }, KEEP_ALIVE_MS);
      keepAlive.unref();
    },
    pull: async (controller) => {
      const item = await subscription.next();
      if (item) return controller.enqueue(frameOf(item));
      hostTime.clearInterval(keepAlive);
      controller.close();
    },
    cancel: () => {
      hostTime.clearInterval(keepAlive);
      subscription.cancel();
    },
  });
};

const follow = (feed: Feed, wanted: Omit<SubscribeOptions, "after">) =>
  new StreamReply("text/event-stream", (request) =>
    streamOf(
      feed.subscribe({ after: request.headers.get("last-event-id") ?? undefined, ...wanted }),
    ),
  );

/**
 * The feed of what becomes durable. Calls of the control surface are told on request
 * (spec/errors.md#request-log).
 */
export const eventEndpoints = [
  endpoint({
    operationId: "events",
    summary:
      "Server-sent events of the world: hello first, then change, timer, delivery, request, " +
      "clock, reset, stopped; with rows=true the changed rows instead of change, with first=true " +
      "few rows in hello, with control=true calls of this surface too",
    method: "GET",
    path: "/events",
    query: {
      rows: BooleanQuery.optional(),
      first: BooleanQuery.optional(),
      control: BooleanQuery.optional(),
    },
    replies: [200, z.string(), "text/event-stream"],
    refuses: [],
    handle: ({ query }, call, { feed }) => {
      call.sawEverything();
      return follow(feed, query);
    },
  }),
];
