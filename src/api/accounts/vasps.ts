import { VaspPage } from "../../contract/accounts/vasps.ts";
import { PageQuery } from "../../contract/core/lists.ts";
import { listExchanges } from "../../domain/accounts/exchange-directory.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const listVasps = endpoint("listVasps", {
  summary: "List the exchanges that may hold a wallet, by name",
  query: PageQuery,
  replies: [200, VaspPage],
  refuses: [],
  handle: (input, { read }) => read(listExchanges, input),
});
