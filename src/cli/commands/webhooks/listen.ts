import { defined } from "../../../contract/core/defined.ts";
import {
  endpointAddress,
  shownAddress,
  withoutPasswords,
} from "../../../contract/core/endpoint-address.ts";
import { namesForbiddenAddress } from "../../../contract/core/network-reach.ts";
import { type EventType, isAccepted } from "../../../contract/webhooks/events.ts";
import { counted } from "../../../text/layout.ts";
import { certificatesFrom } from "../../frame/certificate-file.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  ofOption,
  usageError,
} from "../../frame/command.ts";
import { interrupted } from "../../frame/interruption.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { eventTypeOf } from "../../tasks/lab-options.ts";
import { type Forwarded, WebhookForwarder } from "../../tasks/webhook-forwarder.ts";
import { eventLine, instantsInTurn } from "../../text/activity.ts";
import type { Style } from "../../text/terminal.ts";

const NEXT = "service-sim webhooks listen --forward-to http://127.0.0.1:3000/";

/** Prints one line per delivery: the second destination's answer. */
export const formatForwarded = (
  forwarded: Forwarded,
  style: Style,
  shown = instantsInTurn(),
): string => {
  const { at, type, status, error, tookMs, id } = forwarded;
  const mark = style.mark(isAccepted(type, status) ? "done" : "failed");
  const result = `${mark} ${status ?? error ?? "no answer"}`;
  const cells = { at: shown(at), sign: ">", what: type, result, took: `${tookMs} ms` };
  return eventLine({ ...cells, id: style.id(id) }, style);
};

const destinationOf = ({ options: { forwardTo } }: Invocation) => {
  const isUrl =
    typeof forwardTo === "string" &&
    URL.canParse(forwardTo) &&
    /^https?:$/.test(new URL(forwardTo).protocol);
  if (isUrl && namesForbiddenAddress(forwardTo))
    throw usageError(
      `--forward-to: "${withoutPasswords(forwardTo)}" is a link-local or metadata address: not called`,
      NEXT,
    );
  if (isUrl) return forwardTo;
  if (forwardTo === undefined)
    throw usageError(
      "say where to forward to, for example: --forward-to http://127.0.0.1:3000/",
      NEXT,
    );
  throw usageError(
    `--forward-to needs an http or https URL but is "${withoutPasswords(String(forwardTo))}"`,
    NEXT,
  );
};

const caOf = ({ options: { ca } }: Invocation, url: string) => {
  if (typeof ca !== "string") return undefined;
  if (new URL(url).protocol !== "https:")
    throw usageError(
      `--ca is for an https URL but --forward-to is "${withoutPasswords(url)}"`,
      NEXT,
    );
  return ofOption("--ca", () => certificatesFrom(ca));
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
      flags: "--ca <file>",
      summary: "also trust the certificates in this PEM file",
      noEnvironment: true,
    },
    {
      flags: "--types <list>",
      summary: "forward only these types, separated by commas",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks listen --forward-to http://127.0.0.1:3000/",
    "service-sim webhooks listen --forward-to http://127.0.0.1:3000/ --types TEST,card.state_change",
    "service-sim webhooks listen --forward-to https://localhost:3000/ --ca receiver.pem",
  ],
  run: async (invocation, terminal) => {
    const url = destinationOf(invocation);
    const forwardTo = shownAddress(endpointAddress(url));
    const types = typesOf(invocation);
    const ca = caOf(invocation, url);
    const shown = instantsInTurn();
    const counts = { forwarded: 0, taken: 0 };
    await reach(findInstance(invocation).client.get("/live"));
    const forwarder = new WebhookForwarder({
      url,
      ...defined({ types, ca }),
      client: () => findInstance(invocation).client,
      onForwarded: (forwarded) => {
        counts.forwarded += 1;
        if (isAccepted(forwarded.type, forwarded.status)) counts.taken += 1;
        terminal.document({ event: "forwarded", ...forwarded });
        terminal.print(formatForwarded(forwarded, terminal.style, shown));
      },
      onReady: () => {
        terminal.document({ event: "ready", forwardTo });
        terminal.print(
          `${terminal.style.mark("done")} forwards to ${forwardTo}    Ctrl-C stops it`,
        );
      },
      onLost: () => terminal.note("the simulator does not answer; waiting for it"),
    });
    const stop = interrupted();
    void forwarder.run();
    await stop;
    await forwarder.stop();
    terminal.document({ event: "stopped", ...counts });
    const { forwarded, taken } = counts;
    terminal.print(`${counted(forwarded, "webhook")} forwarded, ${taken} accepted`);
    return EXIT.done;
  },
};
