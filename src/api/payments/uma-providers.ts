import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import { UmaProvider, UmaProvidersQuery } from "../../contract/payments/uma-providers.ts";
import * as providers from "../../domain/payments/uma-providers.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const listUmaProviders = endpoint("listUmaProviders", {
  summary: "List the institutions that provide UMA addresses, by name",
  query: { ...UmaProvidersQuery, ...PageQuery },
  replies: [200, pageOf(UmaProvider)],
  refuses: [],
  handle: (input, { read }) => read(providers.listUmaProviders, input),
});
