import { namesForbiddenAddress } from "../../../contract/core/network-reach.ts";
import { type EventType, isAccepted } from "../../../contract/webhooks/events.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { interrupted } from "../../frame/interruption.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { eventTypeOf } from "../../tasks/lab-options.ts";
import { type Forwarded, WebhookForwarder } from "../../tasks/webhook-forwarder.ts";
import { counted } from "../../text/layout.ts";
import type { Style } from "../../text/terminal.ts";

const NEXT = "service-sim webhooks listen --forward-to http://127.0.0.1:3000/";
const TYPE_WIDTH = 34;

/** Prints one line per delivery: the second destination's answer. */
export const formatForwarded = (forwarded: Forwarded, { mark, id }: Style): string => {
  const { at, type, status, error, tookMs } = forwarded;
  const isTaken = isAccepted(type, status);
  return [
    at.slice(11, 19),
    ">",
    type.padEnd(TYPE_WIDTH),
    `${mark(isTaken ? "done" : "failed")} ${status ?? error ?? "no answer"}`.padEnd(14),
    `${tookMs} ms`.padStart(8),
    ` ${id(forwarded.id)}`,
  ].join(" ");
};

const destinationOf = ({ options: { forwardTo } }: Invocation) => {
  const isUrl =
    typeof forwardTo === "string" &&
    URL.canParse(forwardTo) &&
    /^https?:$/.test(new URL(forwardTo).protocol);
  if (isUrl && namesForbiddenAddress(forwardTo))
    throw usageError(`"${forwardTo}" is a link-local or metadata address: not called`, NEXT);
  if (isUrl) return forwardTo;
  if (forwardTo === undefined)
    throw usageError(
      "say where to forward to, for example: --forward-to http://127.0.0.1:3000/",
      NEXT,
    );
  throw usageError(`--forward-to needs an http or https URL but is "${forwardTo}"`, NEXT);
};

const typesOf = ({ options: { types } }: Invocation): ReadonlySet<EventType> | undefined =>
  typeof types === "string"
    ? new Set(
        types
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(eventTypeOf),
      )
    : undefined;

export const command: Command = {
  name: "listen",
  summary: "forward every delivery to a second URL: same bytes, same headers",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--forward-to <url>", summary: "URL that receives them too", noEnvironment: true },
    {
      flags: "--types <list>",
      summary: "forward only these types, separated by commas",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks listen --forward-to http://127.0.0.1:3000/",
    "service-sim webhooks listen --forward-to http://127.0.0.1:3000/ --types TEST,card.state_change",
  ],
  run: async (invocation, terminal) => {
    const url = destinationOf(invocation);
    const types = typesOf(invocation);
    const counts = { forwarded: 0, taken: 0 };
    await reach(findInstance(invocation).client.get("/live"));
    const forwarder = new WebhookForwarder({
      url,
      ...(types && { types }),
      client: () => findInstance(invocation).client,
      onForwarded: (forwarded) => {
        counts.forwarded += 1;
        if (isAccepted(forwarded.type, forwarded.status)) counts.taken += 1;
        terminal.document({ event: "forwarded", ...forwarded });
        terminal.print(formatForwarded(forwarded, terminal.style));
      },
      onReady: () => {
        terminal.document({ event: "ready", forwardTo: url });
        terminal.print(`${terminal.style.mark("done")} forwards to ${url}    Ctrl-C stops it`);
      },
      onLost: () => terminal.note("the simulator does not answer; waiting for it"),
    });
    const stop = interrupted();
    void forwarder.run();
    await stop;
    await forwarder.stop();
    terminal.document({ event: "stopped", ...counts });
    const { forwarded, taken } = counts;
    terminal.print(`${counted(forwarded, "webhook")} forwarded, ${taken} taken`);
    return EXIT.done;
  },
};
