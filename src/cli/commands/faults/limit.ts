import {
  isRateLimit,
  NO_RATE_LIMIT,
  RATE_LIMIT_FORM,
} from "../../../contract/platform/rate-limit-text.ts";
import type { RateLimitSetting } from "../../../contract/platform/rate-limits.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

export const command: Command = {
  name: "limit",
  summary: "show or set the calls that each token may make on the simulated clock",
  operands: "[calls/unit|none]",
  options: CLIENT_OPTIONS,
  examples: [
    "service-sim faults limit 10/s",
    "service-sim faults limit 100/m",
    "service-sim faults limit none",
  ],
  run: async (invocation, terminal) => {
    const [wanted] = invocation.args;
    if (wanted !== undefined && !isRateLimit(wanted))
      throw usageError(
        `Expected ${RATE_LIMIT_FORM} but found "${wanted}"`,
        "service-sim faults limit 10/s",
      );
    const { client } = findInstance(invocation);
    const setting = await reach(
      wanted === undefined
        ? client.get<RateLimitSetting>("/rate-limit")
        : client.put<RateLimitSetting>("/rate-limit", { limit: wanted }),
    );
    terminal.document(setting);
    if (terminal.quiet && !terminal.json) terminal.answer(setting.limit);
    const { limit } = setting;
    const says =
      limit === NO_RATE_LIMIT ? "calls are not limited" : "calls of each token; more are 429";
    terminal.print(`${limit}  ${says}`);
    return EXIT.done;
  },
};
