import { RateLimitSetting } from "../../contract/platform/rate-limits.ts";
import { rateLimitText, setRateLimit } from "../../domain/platform/rate-limits.ts";
import { endpoint } from "./control-endpoint.ts";

/** The rate limit of a world's tokens; a fixture may set it, too. */
export const rateLimitEndpoints = [
  endpoint({
    operationId: "rateLimit",
    summary: "The rate limit of each token of the platform",
    method: "GET",
    path: "/rate-limit",
    replies: [200, RateLimitSetting],
    refuses: [],
    handle: (_input, { read }) => read((view) => ({ limit: rateLimitText(view) }), undefined),
  }),
  endpoint({
    operationId: "setRateLimit",
    summary: "Limit the calls of each token, such as 10/s; none removes the limit",
    method: "PUT",
    path: "/rate-limit",
    body: RateLimitSetting,
    replies: [200, RateLimitSetting],
    refuses: [],
    handle: ({ body }, { commit }) => commit(setRateLimit, body),
  }),
];
