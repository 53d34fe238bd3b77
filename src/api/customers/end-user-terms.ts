import { EndUserTerms } from "../../contract/customers/end-user-terms.ts";
import * as terms from "../../domain/customers/end-user-terms.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const getEndUserTerms = endpoint("getEndUserTerms", {
  summary: "Get the terms that end users accept",
  replies: [200, EndUserTerms],
  refuses: [],
  handle: (_input, { read }) => read(terms.getEndUserTerms, undefined),
});
