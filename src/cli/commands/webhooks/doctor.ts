import { readFileSync } from "node:fs";
import type { ControlClient } from "../../../client/control-client.ts";
import type { ShownKeys } from "../../../contract/control/webhook-keys.ts";
import type { SignatureVerdict } from "../../../crypto/signature-diagnosis.ts";
import { fileFault } from "../../../machine/file-fault.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { readStandardInput } from "../../frame/standard-input.ts";
import {
  judgeDelivery,
  keyFileOf,
  knownKeysOf,
  sentUnder,
} from "../../tasks/signature-evidence.ts";
import { asCalled } from "../../text/called-as.ts";
import { tableLines } from "../../text/table.ts";
import type { Style, Terminal } from "../../text/terminal.ts";

/** Findings of the doctor about a delivery in files, or about the endpoint's receiver. */
export interface DoctorReply {
  ok: boolean;
  checks: { check: string; ok: boolean; expected: string; found: string }[];
  diagnosis?: { code: string; message: string; fix: string };
}

const NEXT = "service-sim webhooks doctor --header <signature> --body got.json";

export const formatDoctor = (
  { checks, diagnosis }: DoctorReply,
  next: readonly string[],
  style: Style,
): string[] => [
  ...tableLines(
    [{}, { as: "words" }],
    checks.map(({ check, ok, found }) => [`${style.mark(ok ? "done" : "failed")} ${check}`, found]),
    style,
  ),
  ...[...(diagnosis ? [diagnosis.fix] : []), ...next].map(
    (line, at) => `${(at === 0 ? "next" : "").padEnd(9)}${asCalled(line)}`,
  ),
];

const bytesIn = async (file: string) => {
  if (file === "-") return readStandardInput();
  try {
    return readFileSync(file);
  } catch (error) {
    throw usageError(`--body: cannot read ${file}: ${fileFault(error)}`, NEXT);
  }
};

/** A key given by the caller needs no simulator; a running one can tell more. */
const reachableClient = async (invocation: Invocation): Promise<ControlClient | undefined> => {
  if (invocation.options.key === undefined) return findInstance(invocation).client;
  try {
    const { client } = findInstance(invocation);
    await client.get("/live");
    return client;
  } catch {
    return undefined;
  }
};

const diagnoseFile = async (
  invocation: Invocation,
  { header, file }: { header: string; file: string },
): Promise<{ verdict: SignatureVerdict; next: string[] }> => {
  const { key } = invocation.options;
  const keyPem = typeof key === "string" ? keyFileOf(key) : undefined;
  const body = await bytesIn(file);
  const client = await reachableClient(invocation);
  const reply = client && (await reach(client.get<ShownKeys>("/webhooks/keys")));
  const keys = knownKeysOf(reply, keyPem);
  if (!keys) throw usageError("no key to verify with: give --key, or start a simulator", NEXT);
  const sent = client && (await sentUnder(client, body));
  const verdict = judgeDelivery({ header, body }, keys, sent);
  const differs = sent && !sent.body.equals(body);
  const next = differs ? [`service-sim webhooks show ${sent.id} --body | diff - ${file}`] : [];
  return { verdict, next: verdict.ok ? [] : next };
};

const tell = (reply: DoctorReply, next: readonly string[], terminal: Terminal) => {
  terminal.document(reply);
  terminal.print(...formatDoctor(reply, next, terminal.style));
  return reply.ok ? EXIT.done : EXIT.notDone;
};

export const command: Command = {
  name: "doctor",
  summary: "explain why a delivery does not verify; without options, test the receiver",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--header <signature>",
      summary: "value of X-Service-Signature as received",
      noEnvironment: true,
    },
    {
      flags: "--body <file>",
      summary: "file with the body as received; - reads stdin",
      noEnvironment: true,
    },
    {
      flags: "--key <pem file>",
      summary: "public key you verify with (default: the simulator's)",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks doctor",
    'service-sim webhooks doctor --body got.json --header "MEUCIQDx…3Q=="',
  ],
  run: async (invocation, terminal) => {
    const { header, body: file, key } = invocation.options;
    if (typeof header === "string" && typeof file === "string") {
      const { verdict, next } = await diagnoseFile(invocation, { header, file });
      return tell(verdict, next, terminal);
    }
    if (header !== undefined || file !== undefined || key !== undefined)
      throw usageError("give --header and --body together", NEXT);
    const { client } = findInstance(invocation);
    return tell(await reach(client.post<DoctorReply>("/webhooks/check")), [], terminal);
  },
};
