import { OPERATIONS_OF_ANY_REVISION } from "../../../contract/operations.ts";
import type { Fault } from "../../../contract/platform/faults.ts";
import { parseDuration } from "../../../domain/core/durations.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS, type Invocation, usageError } from "../../frame/command.ts";
import { formatFaults } from "./list.ts";

const HELP = "service-sim faults add --help";

const numberOf = (name: string, value: string | boolean | undefined) => {
  if (typeof value !== "string") return undefined;
  if (!/^[0-9]+(\.[0-9]+)?$/.test(value))
    throw usageError(`Expected --${name} to be a number but found "${value}"`, HELP);
  return Number(value);
};

const present = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const switchOf = (name: string, value: string | boolean | undefined) => {
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return value === "true";
  throw usageError(`Expected --${name} to be true or false but found "${value}"`, HELP);
};

const dripOf = (value: string | boolean | undefined) => {
  if (typeof value !== "string") return undefined;
  const [, bytes, span = ""] = /^([1-9][0-9]{0,6})\/(.+)$/.exec(value) ?? [];
  const everyMs = parseDuration(span);
  if (bytes === undefined || everyMs === undefined)
    throw usageError(
      `Expected --drip to be bytes by span, such as 10/100ms, but found "${value}"`,
      HELP,
    );
  return { bytes: Number(bytes), everyMs };
};

const faultOf = ({ options }: Invocation) => {
  const fault = present({
    status: numberOf("status", options.status),
    code: options.code,
    shouldRetry: switchOf("should-retry", options.shouldRetry),
    latencyMs: numberOf("latency-ms", options.latencyMs),
    dropResponse: options.dropResponse,
    closeSocket: options.closeSocket,
    cutAfterBytes: numberOf("cut-after", options.cutAfter),
    garble: options.garble,
    drip: dripOf(options.drip),
  });
  if (Object.keys(fault).length > 0) return fault;
  throw usageError(
    "say what the fault does: --status, --code, --latency-ms, --drop-response, --close-socket, " +
      "--cut-after, --garble or --drip",
    HELP,
  );
};

const matchOf = ({ options }: Invocation) =>
  present({
    operation: options.operation,
    path: options.path,
    nth: numberOf("nth", options.nth),
    times: numberOf("times", options.times),
    probability: numberOf("probability", options.probability),
    from: options.from,
    until: options.until,
    for: options.for,
  });

const once = (flags: string, summary: string) => ({ flags, summary, noEnvironment: true });

export const command = clientCommand<Fault>({
  name: "add",
  summary: "inject a fault into matching calls",
  options: [
    ...CLIENT_OPTIONS,
    {
      ...once(
        "--operation <id>",
        "only calls of this operationId, e.g. createQuote (default: any)",
      ),
      completes: OPERATIONS_OF_ANY_REVISION.map(({ operationId }) => operationId).sort(),
    },
    once("--path <path>", "only calls of this path, e.g. /quotes/{id} or POST /quotes"),
    once("--nth <n>", "first matching call that is affected; 1 is the next one"),
    once("--times <n>", "number of calls affected (default: all, with --nth one)"),
    once("--probability <p>", "probability of a fault per call, drawn from the world's seed"),
    once("--from <instant>", "simulated instant at which the fault starts"),
    once("--until <instant>", "simulated instant at which the fault ends"),
    once("--for <span>", "simulated duration of the fault, e.g. 6m"),
    once("--status <code>", "answer with this status instead of doing the call"),
    once("--code <code>", "answer with this error code instead of doing the call"),
    once("--should-retry <choice>", "value of x-should-retry (default: false with 409 and 501)"),
    once("--latency-ms <ms>", "wait this long first, in real milliseconds"),
    once("--drop-response", "do the call, then drop the response"),
    once("--close-socket", "close the connection instead of doing the call"),
    once("--cut-after <bytes>", "send this many bytes of the body, then close the connection"),
    once("--garble", "send a body that is not JSON"),
    once("--drip <bytes/span>", "send the body in pieces, e.g. 10/100ms: 10 bytes every 100 ms"),
  ],
  examples: [
    "service-sim faults add --operation createQuote --status 503 --times 2",
    "service-sim faults add --path /quotes/{quoteId}/execute --drop-response --nth 1",
    "service-sim faults add --operation getConfig --cut-after 20 --times 1",
    "service-sim faults add --status 500 --probability 0.1 --for 1h",
  ],
  call: (invocation) => [
    "POST",
    "/faults",
    { match: matchOf(invocation), fault: faultOf(invocation) },
  ],
  value: ({ id }) => id,
  lines: (fault, style) => formatFaults({ data: [fault] }, style),
  next: () => "service-sim faults clear",
});
