import type { ControlClient } from "../../client/control-client.ts";
import { bodyIn, cutReason, type Exchange } from "../../conform/traffic.ts";
import type { LoggedCalls, WholeCall } from "../../contract/control/requests.ts";
import type { Webhooks, WholeWebhook } from "../../contract/control/webhooks.ts";
import { reach } from "../frame/reach.ts";

const PAGE = 100;

interface Page<Row> {
  data: readonly Row[];
  nextCursor?: string | undefined;
}

const rowsOf = async <Row>(read: (query: string) => Promise<Page<Row>>): Promise<Row[]> => {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await read(`?limit=${PAGE}${after}`);
    rows.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
};

const notWholeIn = ({ cut: { requestBody, responseBody } = {} }: WholeCall) => ({
  ...(requestBody !== undefined && { requestBody: cutReason(requestBody) }),
  ...(responseBody !== undefined && { responseBody: cutReason(responseBody) }),
});

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** The calls that a simulator has logged, and the webhooks that it has made. */
export const loggedTraffic = async (client: ControlClient): Promise<Exchange[]> => {
  const calls = await rowsOf((query) => reach(client.get<LoggedCalls>(`/requests${query}`)));
  const webhooks = await rowsOf((query) => reach(client.get<Webhooks>(`/webhooks${query}`)));
  const exchanges: Exchange[] = [];
  for (const { id } of calls) {
    const whole = `${at("/requests", id)}?bodies=whole`;
    const call = await reach(client.get<WholeCall>(whole));
    const { method, path, status, requestBody, responseBody } = call;
    exchanges.push({
      kind: "call",
      method,
      path,
      status,
      requestBody: bodyIn(requestBody),
      responseBody: bodyIn(responseBody),
      notWhole: notWholeIn(call),
    });
  }
  for (const { id } of webhooks) {
    const { body } = await reach(client.get<WholeWebhook>(at("/webhooks", id)));
    exchanges.push({ kind: "webhook", body: bodyIn(body) });
  }
  return exchanges;
};
