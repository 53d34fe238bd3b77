import type { CapsuleSink } from "../../capsules/line-stream.ts";
import { endOf } from "../../capsules/read-capsule.ts";
import type { ControlClient } from "../../client/control-client.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { START_OPTIONS } from "../../options/start-options.ts";
import { counted } from "../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, CommandError, EXIT } from "../frame/command.ts";
import { interrupted } from "../frame/interruption.ts";
import { findInstance, reach, type SimulatorConnection } from "../frame/reach.ts";
import { fileSink } from "../tasks/file-sink.ts";
import { childEnvironment, runChild } from "../tasks/run-child.ts";
import { quoted } from "../text/called-as.ts";
import type { Terminal } from "../text/terminal.ts";

/** Bytes of a file's end in which its last line is looked for. */
const TAIL_BYTES = 256;

/** A capsule on its way from a simulator into a file. */
interface Download {
  /** Resolves when all of it is in the file. */
  ended: Promise<void>;
  hasEnded: boolean;
  /** Calls that it has; nothing when it has no last line. */
  requests: number | undefined;
  /** Leaves it as it is. */
  stop(): void;
}

/**
 * Has a simulator write down what it does from now on.
 * @throws CommandError when it refuses, and when the file cannot be written
 */
const download = async (
  client: ControlClient,
  { file, withSecrets }: { file: string; withSecrets: boolean },
): Promise<Download> => {
  let sink: CapsuleSink | undefined;
  let early: Buffer[] = [];
  let tail: Buffer = Buffer.alloc(0);
  const take = (bytes: Buffer) => {
    tail = Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES);
    if (sink) sink.write(bytes);
    else early.push(bytes);
  };
  const reply = client.stream("/capsule", { name: file, withSecrets }, take);
  const answer = await reach(
    reply.then((result) => ("status" in result ? result : { status: 200, body: result })),
  );
  const { ended, stop } = answer as Extract<Awaited<typeof reply>, { stop(): void }>;
  try {
    // Not before it begins: a simulator that refuses leaves an earlier file as it is.
    sink = fileSink(file);
  } catch (error) {
    stop();
    throw error;
  }
  for (const bytes of early) sink.write(bytes);
  early = [];
  const written: Download = {
    hasEnded: false,
    requests: undefined,
    stop,
    ended: ended.then(() => {
      written.hasEnded = true;
      written.requests = endOf(tail)?.requests;
      sink?.close();
    }),
  };
  return written;
};

export const command: Command = {
  name: "record",
  summary: "record a running simulator for replay, until Ctrl-C or the end of a command",
  operands: "<file> [command...]",
  usage: "<file> [-- command...]",
  options: [...CLIENT_OPTIONS, START_OPTIONS.withSecrets],
  notes: [
    "Starts from the current state of all worlds and records the calls to all of them. With a",
    "command, it ends when that ends, with its exit code; --world names the command's world.",
  ],
  examples: ["service-sim record run.capsule", "service-sim record run.capsule -- npm test"],
  run: async (invocation, terminal) => {
    const [file = "", program, ...args] = invocation.args;
    const reached = findInstance(invocation);
    const withSecrets = invocation.options.withSecrets === true;
    // Asked for before it begins: a recording has the command's calls alone.
    const environment = program === undefined ? {} : await environmentFor(reached);
    const written = await download(reached.client, { file, withSecrets });
    terminal.document({ event: "recording", file });
    const stops = program === undefined ? "    Ctrl-C ends it" : "";
    terminal.print(`${terminal.style.mark("done")} recording to ${file}${stops}`);
    const code =
      program === undefined
        ? await Promise.race([interrupted(), written.ended]).then(() => EXIT.done)
        : await runChild(program, args, environment).catch((error) => leave(written, error));
    await finish(reached, written);
    tellEnd(written, file, terminal);
    return code;
  },
};

const leave = async (written: Download, error: unknown): Promise<never> => {
  written.stop();
  throw error;
};

/** The variables of a command; credentials are known in the folder of the simulator. */
const environmentFor = async ({ client, instance }: SimulatorConnection) => {
  if (!instance) return { ...process.env, SERVICE_SIM_URL: client.url };
  const { world } = client.at;
  const { settings } = await reach(client.get<SimulatorStatus>("/status"));
  const { clientId, brand, otpSignerPublicKey } = settings;
  return childEnvironment({ ...instance, clientId, brand, world, otpSignerPublicKey });
};

/** Ends the recording, unless the simulator ended first. */
const finish = async ({ client }: SimulatorConnection, written: Download) => {
  if (!written.hasEnded) await client.delete("/capsule").catch(() => written.stop());
  await written.ended;
};

const tellEnd = ({ requests }: Download, file: string, terminal: Terminal) => {
  if (requests === undefined)
    throw new CommandError(
      { code: "RECORDING_CUT_OFF", exitCode: EXIT.notDone },
      `the simulator stopped before the end of ${file}, which has everything up to then`,
      [`service-sim replay --partial ${quoted(file)}`],
    );
  terminal.document({ event: "recorded", file, requests });
  terminal.print(`${terminal.style.mark("done")} ${file}: ${counted(requests, "request")}`);
  terminal.next(`service-sim replay ${quoted(file)}`);
};
