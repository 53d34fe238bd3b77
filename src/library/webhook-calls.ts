import type {
  AwaitedWebhooks,
  EventOf,
  EventType,
  SentWebhook,
  WebhookDetails,
  WebhookPage,
} from "./contract-types.ts";
import { queryText, type ReachedWorld } from "./reached-world.ts";
import type { ReceivedWebhook, WantedWebhook, WebhookCalls } from "./simulator.ts";

/** The newest webhook that was there before: waits leave out those up to it. */
export interface Cursor {
  after?: string | undefined;
}

const received = async <Type extends EventType>(
  reached: ReachedWorld,
  id: string,
): Promise<ReceivedWebhook<Type>> => {
  const details = await reached.control<WebhookDetails>("GET", `/webhooks/${id}`);
  return { ...details, event: JSON.parse(details.body) as EventOf<Type> };
};

const wait = async <Type extends EventType>(
  reached: ReachedWorld,
  { after }: Cursor,
  { timeoutMs, ...wanted }: WantedWebhook<Type>,
): Promise<ReceivedWebhook<Type>[]> => {
  const timeout = timeoutMs === undefined ? undefined : `${timeoutMs}ms`;
  const query = queryText({ ...wanted, since: after, timeout });
  const { data } = await reached.control<AwaitedWebhooks>("GET", `/webhooks/wait${query}`);
  return Promise.all(
    data
      .slice()
      .reverse()
      .map(({ id }) => received<Type>(reached, id)),
  );
};

/** The webhooks of a world; waits leave out those up to the cursor. */
export const webhookCalls = (reached: ReachedWorld, cursor: () => Cursor): WebhookCalls => ({
  wait: (wanted) => wait(reached, cursor(), wanted),
  list: (query = {}) => reached.control<WebhookPage>("GET", `/webhooks${queryText({ ...query })}`),
  get: (id) => reached.control<WebhookDetails>("GET", `/webhooks/${id}`),
  resend: (id, options = {}) =>
    reached.control<SentWebhook>("POST", `/webhooks/${id}/resend`, options),
  trigger: (type, { set } = {}) =>
    reached.control<SentWebhook>("POST", "/webhooks/trigger", {
      type,
      ...(set && { set: Object.entries(set).map(([path, value]) => `${path}=${value}`) }),
    }),
});
