import * as z from "zod";
import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import {
  ApiToken,
  ApiTokenInput,
  ApiTokensQuery,
  CreatedApiToken,
} from "../../contract/platform/tokens.ts";
import * as tokens from "../../domain/platform/api-tokens.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const createToken = endpoint("createToken", {
  summary: "Create an API token; only this reply shows its secret",
  body: ApiTokenInput,
  replies: [201, CreatedApiToken],
  refuses: ["FORBIDDEN"],
  handle: ({ body }, { commit, tokenId }) => commit(tokens.createToken, { body, tokenId }),
});

export const listTokens = endpoint("listTokens", {
  summary: "List API tokens without their secrets, newest first",
  query: { ...ApiTokensQuery, ...PageQuery },
  replies: [200, pageOf(ApiToken)],
  refuses: [],
  handle: (input, { read }) => read(tokens.listTokens, input),
});

export const getToken = endpoint("getToken", {
  summary: "Get one API token without its secret",
  replies: [200, ApiToken],
  refuses: ["TOKEN_NOT_FOUND"],
  handle: (input, { read }) => read(tokens.getToken, input),
});

export const deleteToken = endpoint("deleteToken", {
  summary: "Delete an API token: it stops working at once",
  replies: [204, z.undefined()],
  refuses: ["TOKEN_NOT_FOUND", "LAST_MANAGE_TOKEN", "OWN_TOKEN"],
  handle: ({ params }, { commit, tokenId }) =>
    commit(tokens.deleteToken, { params, callerId: tokenId }),
});
