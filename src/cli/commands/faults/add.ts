import type { Fault } from "../../../contract/platform/faults.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
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

const faultOf = ({ options }: Invocation) => {
  const fault = present({
    status: numberOf("status", options.status),
    code: options.code,
    shouldRetry: switchOf("should-retry", options.shouldRetry),
    latencyMs: numberOf("latency-ms", options.latencyMs),
    dropResponse: options.dropResponse,
    closeSocket: options.closeSocket,
  });
  if (Object.keys(fault).length > 0) return fault;
  throw usageError(
    "Expected --status, --code, --latency-ms, --drop-response or --close-socket but found none",
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

export const command: Command = {
  name: "add",
  summary: "switch a fault on, for the calls that fit",
  options: [
    ...CLIENT_OPTIONS,
    once("--operation <id>", "operationId, as createQuote (default: any)"),
    once("--path <path>", "/quotes/{id}, or a path as it is called; a method may precede it"),
    once("--nth <n>", "the first call to strike, 1 is the next"),
    once("--times <n>", "how many calls (default: all, with --nth one)"),
    once("--probability <p>", "of each call, from the world's seed"),
    once("--from <instant>", "simulated instant from which it counts"),
    once("--until <instant>", "simulated instant at which it ends"),
    once("--for <span>", "or how long it counts, as 6m"),
    once("--status <code>", "answer this status, and do nothing"),
    once("--code <code>", "answer this error code, and do nothing"),
    once("--should-retry <choice>", "its x-should-retry (default: false with 409 and 501)"),
    once("--latency-ms <ms>", "wait so long first, on the wall clock"),
    once("--drop-response", "do it, then lose the answer"),
    once("--close-socket", "hang up, and do nothing"),
  ],
  examples: [
    "service-sim faults add --operation createQuote --status 503 --times 2",
    "service-sim faults add --path /quotes/{quoteId}/execute --drop-response --nth 1",
    "service-sim faults add --status 500 --probability 0.1 --for 1h",
  ],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const body = { match: matchOf(invocation), fault: faultOf(invocation) };
    const fault = await reach(client.post<Fault>("/faults", body));
    terminal.document(fault);
    terminal.print(...formatFaults({ data: [fault] }, terminal.style));
    terminal.next("service-sim faults clear");
    return EXIT.done;
  },
};
