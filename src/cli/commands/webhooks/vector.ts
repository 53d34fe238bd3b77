import { namesOf } from "../../../contract/choices.ts";
import type { SentVector } from "../../../contract/control/webhook-lab.ts";
import type { Webhook } from "../../../contract/control/webhooks.ts";
import { VECTOR_NAMES, VECTORS } from "../../../contract/webhooks/lab-vectors.ts";
import { shortInstant } from "../../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT, ofOption, usageError } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { eventTypeOf, SET_OPTION } from "../../tasks/lab-options.ts";
import { tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const answerOf = ({ status, error, state, nextAttemptAt, createdAt }: Webhook) => {
  if (nextAttemptAt !== undefined) return `at ${shortInstant(nextAttemptAt, createdAt)}`;
  return state === "DROPPED" ? "never" : `${status ?? error ?? "no answer"}`;
};

const isWaiting = ({ expects }: SentVector) => expects === "wait";

export const formatVector = (reply: SentVector, style: Style): string[] => [
  `${reply.vector}: ${reply.what}`,
  ...tableLines(
    [{}, {}, {}, { as: "words" }],
    reply.deliveries.map((delivery) => {
      const { id, type, verdict } = delivery;
      const mark = isWaiting(reply) ? "waits" : verdict.ok ? "done" : "failed";
      return [
        `  ${style.mark(mark)} ${answerOf(delivery)}`,
        isWaiting(reply) ? verdict.says : `the receiver ${verdict.says}`,
        type,
        style.id(id),
      ];
    }),
    style,
  ),
];

const formatVectors = (style: Style) =>
  tableLines(
    [{}, {}, { as: "words" }],
    VECTOR_NAMES.map((name) => [name, VECTORS[name].expects, VECTORS[name].what]),
    style,
  );

export const command: Command = {
  name: "vector",
  summary:
    "send a delivery that a receiver must reject or tolerate, and judge the answer; without a name, list them",
  operands: "[name]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--type <type>",
      summary: "type of the event (default: OUTGOING_PAYMENT.COMPLETED)",
      noEnvironment: true,
    },
    SET_OPTION,
    {
      flags: "--after <span>",
      summary: "delay of the vector delayed, in simulated time (default: 10m)",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks vector",
    "service-sim webhooks vector wrong-key",
    "service-sim webhooks vector delayed --after 1h && service-sim advance 1h",
  ],
  run: async (invocation, terminal) => {
    const [vector] = invocation.args;
    if (vector === undefined) {
      const data = VECTOR_NAMES.map((name) => ({ vector: name, ...VECTORS[name] }));
      terminal.document({ data });
      terminal.print(...formatVectors(terminal.style));
      return EXIT.done;
    }
    if (!Object.hasOwn(VECTORS, vector))
      throw usageError(
        `Expected ${namesOf(VECTOR_NAMES, vector)} but found "${vector}"`,
        "service-sim webhooks vector    describes each one",
      );
    const { type, after } = invocation.options;
    const body = {
      vector,
      ...(typeof type === "string" && { type: ofOption("--type", () => eventTypeOf(type)) }),
      ...(typeof after === "string" && { after }),
      ...(invocation.lists?.set && { set: invocation.lists.set }),
    };
    const { client } = findInstance(invocation);
    const reply = await reach(client.post<SentVector>("/webhooks/vectors", body));
    terminal.document(reply);
    terminal.print(...formatVector(reply, terminal.style));
    return reply.ok ? EXIT.done : EXIT.notDone;
  },
};
