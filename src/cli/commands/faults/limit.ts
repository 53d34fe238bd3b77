import {
  isRateLimit,
  NO_RATE_LIMIT,
  RATE_LIMIT_FORM,
} from "../../../contract/platform/rate-limit-text.ts";
import type { RateLimitSetting } from "../../../contract/platform/rate-limits.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { usageError } from "../../frame/command.ts";

export const command = clientCommand<RateLimitSetting>({
  name: "limit",
  summary: "show or set the rate limit of each token, on the simulated clock",
  operands: "[calls/unit|none]",
  examples: [
    "service-sim faults limit 10/s",
    "service-sim faults limit 100/m",
    "service-sim faults limit none",
  ],
  call: ({ args: [limit] }) => {
    if (limit === undefined) return ["GET", "/rate-limit"];
    if (isRateLimit(limit)) return ["PUT", "/rate-limit", { limit }];
    throw usageError(
      `Expected ${RATE_LIMIT_FORM} but found "${limit}"`,
      "service-sim faults limit 10/s",
    );
  },
  value: ({ limit }) => limit,
  lines: ({ limit }) =>
    `${limit}  ${limit === NO_RATE_LIMIT ? "calls are not limited" : "calls per token; more get 429"}`,
});
