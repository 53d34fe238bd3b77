import { ApiError } from "./api-error.ts";
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

const awaited = (
  reached: ReachedWorld,
  { after }: Cursor,
  { timeoutMs, ...wanted }: WantedWebhook,
) => {
  const timeout = timeoutMs === undefined ? undefined : `${timeoutMs}ms`;
  const query = queryText({ ...wanted, since: after, timeout });
  return reached.control<AwaitedWebhooks>("GET", `/webhooks/wait${query}`);
};

const count = async (reached: ReachedWorld, cursor: Cursor, wanted: WantedWebhook) => {
  try {
    return (await awaited(reached, cursor, wanted)).count;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "WEBHOOK_DID_NOT_COME") throw error;
    return Number(error.details.found ?? 0);
  }
};

const wait = async <Type extends EventType>(
  reached: ReachedWorld,
  cursor: Cursor,
  wanted: WantedWebhook<Type>,
): Promise<ReceivedWebhook<Type>[]> => {
  const { data } = await awaited(reached, cursor, wanted);
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
  count: (wanted) => count(reached, cursor(), wanted),
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
