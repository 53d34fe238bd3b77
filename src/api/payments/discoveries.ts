import { listOf } from "../../contract/core/lists.ts";
import { DiscoveriesQuery, Discovery } from "../../contract/payments/discoveries.ts";
import * as discoveries from "../../domain/payments/discoveries.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const listDiscoveries = endpoint("listDiscoveries", {
  summary: "List the banks available for external accounts",
  query: DiscoveriesQuery,
  replies: [200, listOf(Discovery)],
  refuses: [],
  handle: (input, { read }) => read(discoveries.listDiscoveries, input),
});
