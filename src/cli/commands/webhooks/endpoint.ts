import type { SimulatorStatus } from "../../../contract/control/status.ts";
import type { ShownCa } from "../../../contract/control/webhook-ca.ts";
import { isLoopbackName } from "../../../contract/core/loopback.ts";
import { certificatesFrom } from "../../frame/certificate-file.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  ofOption,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { endpointProblem, portIn } from "../../tasks/endpoint-probe.ts";
import { callPlatform, findPlatform, jsonOfAnswer } from "../../tasks/platform-client.ts";
import type { Style } from "../../text/terminal.ts";

/** The endpoint of webhooks, and what a connection to it found. */
export interface ShownEndpoint {
  endpoint: string | null;
  /** Absent without an endpoint. */
  answers?: boolean;
  /** The reason when nothing answers there. */
  problem?: string;
}

const EXAMPLE = "service-sim webhooks endpoint http://127.0.0.1:3000/webhooks";

const answerText = ({ answers, problem }: ShownEndpoint, { mark }: Style) =>
  answers ? `${mark("done")} accepts connections` : `${mark("waits")} no answer yet: ${problem}`;

export const formatEndpoint = (shown: ShownEndpoint, style: Style): string[] =>
  shown.endpoint === null
    ? ["no endpoint: webhooks are stored, not sent"]
    : [`webhooks go to ${style.color.bold(shown.endpoint)}`, answerText(shown, style)];

const shownOf = async (endpoint: string | undefined): Promise<ShownEndpoint> => {
  if (endpoint === undefined) return { endpoint: null };
  const problem = await endpointProblem(endpoint);
  return { endpoint, answers: problem === undefined, ...(problem !== undefined && { problem }) };
};

const present = async (invocation: Invocation) => {
  const { client } = findInstance(invocation);
  return (await reach(client.get<SimulatorStatus>("/status"))).webhooks.endpoint;
};

/** The address that was probably meant: `3000` and `localhost:3000/hooks` lack their beginning. */
const meantBy = (text: string) => {
  const address = /^:?\d+(\/|$)/.test(text) ? `127.0.0.1:${text.replace(/^:/, "")}` : text;
  const url = `http://${address}`;
  return !text.includes("://") && URL.canParse(url) ? [`service-sim webhooks endpoint ${url}`] : [];
};

/** A receiver for an address of this machine that has none, else a look at the webhooks. */
const nextStep = ({ endpoint, answers }: ShownEndpoint) => {
  if (endpoint === null) return EXAMPLE;
  const url = new URL(endpoint);
  return answers || !isLoopbackName(url.hostname)
    ? "service-sim webhooks list"
    : `service-sim webhooks receive --port ${portIn(url)}    receives and verifies them`;
};

/** The refusal without the member's name and its next step, which are for callers of the API. */
const withoutMember = (message: string) =>
  message.replace(" in webhookEndpoint", "").replace(/\. Correct the field .*$/, "");

const set = async (invocation: Invocation, webhookEndpoint: string | null) => {
  const platform = await findPlatform(invocation);
  const answer = await callPlatform(platform, {
    method: "PATCH",
    path: "/config",
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ webhookEndpoint })),
  });
  if (answer.status < 400) return;
  const { code = "REFUSED", message = `the platform answered ${answer.status}` } = (jsonOfAnswer(
    answer,
  ) ?? {}) as { code?: string; message?: string };
  const next = [...(webhookEndpoint === null ? [] : meantBy(webhookEndpoint)), EXAMPLE];
  if (answer.status === 400) throw usageError(withoutMember(message), ...next);
  throw new CommandError({ code, exitCode: EXIT.notDone }, message, ["service-sim status"]);
};

/** Has the world trust receivers by the certificates of a file. */
const trust = async (invocation: Invocation, ca: string) => {
  const { client } = findInstance(invocation);
  await reach(client.put<ShownCa>("/webhooks/ca", { ca }));
};

export const command: Command = {
  name: "endpoint",
  summary: "show the endpoint that webhooks go to, set it, or clear it",
  operands: "[url]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--ca <file>",
      summary: "also trust the certificates in this PEM file",
      noEnvironment: true,
    },
    {
      flags: "--clear",
      summary: "remove the endpoint; webhooks are then stored, not sent",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks endpoint",
    EXAMPLE,
    "service-sim webhooks endpoint --clear",
    "service-sim webhooks endpoint https://localhost:5001/hooks --ca receiver.pem",
  ],
  run: async (invocation, terminal) => {
    const [url] = invocation.args;
    const isCleared = invocation.options.clear === true;
    if (url !== undefined && isCleared)
      throw usageError("use only one of a URL and --clear", EXAMPLE);
    const { ca } = invocation.options;
    // First, so that the TEST of a new endpoint arrives.
    if (typeof ca === "string") {
      const pem = ofOption("--ca", () => certificatesFrom(ca));
      await trust(invocation, pem);
    }
    if (url !== undefined || isCleared) await set(invocation, url ?? null);
    const shown = await shownOf(await present(invocation));
    terminal.document(shown);
    if (terminal.quiet && !terminal.json && shown.endpoint !== null)
      terminal.answer(shown.endpoint);
    terminal.print(...formatEndpoint(shown, terminal.style));
    terminal.next(nextStep(shown));
    return EXIT.done;
  },
};
