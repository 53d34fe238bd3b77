import { isAbsolute, join } from "node:path";
import {
  type ClientOptions,
  ControlClient,
  type ControlReply,
} from "../../client/control-client.ts";
import { NoAnswer } from "../../client/send.ts";
import { defined } from "../../contract/core/defined.ts";
import { workingFolder } from "../../machine/working-folder.ts";
import { CommandError, EXIT, type Invocation } from "./command.ts";
import { folderGone } from "./failure-message.ts";
import {
  copiedInstance,
  type InstanceFile,
  instanceDirectory,
  isInstanceDamaged,
  isRunningInstance,
  readInstance,
} from "./instance-file.ts";

/** A simulator that a command talks to. */
export interface SimulatorConnection {
  client: ControlClient;
  /** The instance file, when the simulator was found by it. */
  instance: InstanceFile | undefined;
}

/** The failure of a command when nothing answers at an address. */
export const noneRunning = (where: string) =>
  new CommandError(
    { code: "NOT_RUNNING", exitCode: EXIT.notReachable },
    `no simulator is running (${where})`,
    ["service-sim start"],
  );

/** The folder without a simulator, and why the address in it is not followed. */
const whyNone = (directory: string): string => {
  const copied = copiedInstance(directory);
  if (!copied) return directory;
  const { from, isReplaced } = copied;
  return isReplaced
    ? `${directory} was replaced since its instance.json was written; use --url to reach the simulator`
    : `${directory} is a copy of ${from}, whose simulator its instance.json names`;
};

/** Time limit for an answer, real milliseconds; an advance has none. */
interface Patience {
  timeoutMs?: number;
}

/** Address, credentials and world of the calls to come. */
type Calling = Pick<ClientOptions, "token" | "world" | "timeoutMs">;

const clientOf = (url: string, calling: { [K in keyof Calling]: Calling[K] | undefined }) =>
  new ControlClient({ url, ...defined(calling) });

/** The simulator that `--url` means: a start prints the addresses of its two surfaces. */
const simulatorAt = (url: string) => url.replace(/\/(\d{4}-\d{2}-\d{2}|_sim)?\/?$/, "");

const isOrigin = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const configured = (storage: string | boolean | undefined) =>
  typeof storage === "string" ? storage : undefined;

const directoryFor = ({ config }: Invocation) =>
  instanceDirectory(process.env.SERVICE_SIM_STORAGE ?? configured(config?.storage));

/** Option ` --url …` for a hint about a simulator that commands here do not find by themselves. */
export const urlHint = (invocation: Invocation, url: string | undefined): string => {
  const byItself = process.env.SERVICE_SIM_URL ?? readInstance(directoryFor(invocation))?.url;
  return url === undefined || byItself?.replace(/\/$/, "") === url ? "" : ` --url ${url}`;
};

/**
 * Finds the simulator: `--url`, then `SERVICE_SIM_URL`, then the instance file. Never guesses a
 * port.
 */
export const findInstance = (
  invocation: Invocation,
  patience: Patience = {},
): SimulatorConnection => {
  const { options } = invocation;
  const directory = directoryFor(invocation);
  const instance = readInstance(directory);
  const url = typeof options.url === "string" ? simulatorAt(options.url) : undefined;
  const world = typeof options.world === "string" ? options.world : undefined;
  if (url !== undefined) {
    const isOurs = instance?.url === url;
    const token =
      process.env.SERVICE_SIM_CONTROL_TOKEN ?? (isOurs ? instance?.controlToken : undefined);
    if (!isOrigin(url))
      throw new CommandError(
        { code: "USAGE", exitCode: EXIT.usage },
        `Expected --url to be an origin like http://127.0.0.1:4747 but found "${url}"`,
        ["service-sim status"],
      );
    return {
      client: clientOf(url, { token, world, ...patience }),
      instance: isOurs ? instance : undefined,
    };
  }
  if (!instance && isInstanceDamaged(directory))
    throw noneRunning(
      `${join(directory, "instance.json")} is damaged; use --url to reach the simulator`,
    );
  if (!instance && !isAbsolute(directory) && workingFolder() === undefined)
    throw folderGone(EXIT.notReachable);
  if (!instance) throw noneRunning(whyNone(directory));
  const { controlToken: token } = instance;
  return { client: clientOf(instance.url, { token, world, ...patience }), instance };
};

/**
 * Whether a simulator of this folder may run although nothing answered: it hangs, its file is
 * damaged, or a variable names another one.
 */
export const mayRunHere = (invocation: Invocation): boolean => {
  const directory = directoryFor(invocation);
  const instance = readInstance(directory);
  const { options, sources } = invocation;
  const isAnother = sources?.url === "cli" && instance?.url !== simulatorAt(String(options.url));
  if (isAnother) return false;
  const copied = copiedInstance(directory);
  if (copied) return copied.isReplaced && isRunningInstance(copied.instance);
  return instance ? isRunningInstance(instance) : isInstanceDamaged(directory);
};

/** Longest wait for an answer that only chooses a hint, real milliseconds. */
const HINT_TIMEOUT_MS = 500;

/** Tells whether the simulator of this folder answers; commands may have called another one. */
export const answersHere = async (invocation: Invocation): Promise<boolean> => {
  const instance = readInstance(directoryFor(invocation));
  if (!instance || !isRunningInstance(instance)) return false;
  const client = clientOf(instance.url, { timeoutMs: HINT_TIMEOUT_MS });
  return client.get("/live").then(
    () => true,
    () => false,
  );
};

interface ControlFailure {
  error?: { code: string; message: string; next: string[]; details?: Record<string, unknown> };
}

/** Codes with status 400 whose cause is the state of the world rather than the caller's input. */
const NO_USAGE: readonly string[] = ["WEBHOOK_ENDPOINT_NOT_SET", "BEFORE_HORIZON"];

/** Turns an error of the caller's input into a usage error and any other into a failure. */
const exitCodeOf = (status: number, code: string) =>
  status === 400 && !NO_USAGE.includes(code) ? EXIT.usage : EXIT.notDone;

/** Reads the body of a reply; a refusal becomes the command's failure. */
export const bodyOf = <Body>({ status, body }: ControlReply<Body>): Body => {
  const failure = (body as ControlFailure).error;
  if (status < 400) return body;
  const code = failure?.code ?? "UNEXPECTED";
  throw new CommandError(
    {
      code,
      exitCode: exitCodeOf(status, code),
      ...(failure?.details && { details: failure.details }),
    },
    failure?.message ?? `The simulator answered ${status}`,
    failure?.next ?? ["service-sim status"],
  );
};

/** Runs a call; the command ends with exit code 3 when nothing answers. */
export const reach = async <Body>(call: Promise<ControlReply<Body>>): Promise<Body> => {
  try {
    return bodyOf(await call);
  } catch (error) {
    if (error instanceof NoAnswer) throw noneRunning(error.message);
    throw error;
  }
};
