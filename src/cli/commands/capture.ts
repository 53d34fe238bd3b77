import { brandOf } from "../../contract/core/brand-words.ts";
import { withoutSecrets } from "../../http/log/redaction.ts";
import { START_OPTIONS } from "../../options/start-options.ts";
import { type RecordedCall, recordedScenario } from "../../scripts/record-scenario.ts";
import { counted } from "../../text/layout.ts";
import { baseUrlIn } from "../frame/base-url.ts";
import { readBrandOption } from "../frame/brand-file.ts";
import { type Command, CommandError, EXIT, type Invocation, usageError } from "../frame/command.ts";
import { interrupted } from "../frame/interruption.ts";
import { repeated } from "../frame/simulator-options.ts";
import { CaptureProxy } from "../tasks/capture-proxy.ts";
import { capturedCall } from "../tasks/captured-call.ts";
import { runChild } from "../tasks/run-child.ts";
import { requireWritable, scenarioNameOf, writeScenario } from "../tasks/scenario-file.ts";
import { quoted } from "../text/called-as.ts";
import type { Terminal } from "../text/terminal.ts";

const EXAMPLE = "service-sim capture https://sandbox.example.test/2025-10-13";
const DEFAULT_FILE = "captured.json";
/** Shorter credentials would also be found inside unrelated words. */
const SHORTEST_SECRET = 8;

const portOf = (option: string | boolean | undefined): number => {
  if (option === undefined) return 0;
  const port = Number(option);
  if (/^[0-9]{1,5}$/.test(String(option)) && port <= 65_535) return port;
  throw usageError(`Expected --port from 0 to 65535 but found "${option}"`, EXAMPLE);
};

/** Words and variables of the brand whose clients are captured. */
const brandFor = ({ options: { brand: wordOrFile } }: Invocation) => {
  if (typeof wordOrFile !== "string") return {};
  const { brand } = readBrandOption(wordOrFile);
  return brand ? { brand: brandOf(brand.word), env: brand.env } : {};
};

/** Variables from which a command learns the address; its credentials are its own. */
const variablesOf = (apiUrl: string, env: readonly Readonly<Record<string, string>>[] = []) => ({
  SERVICE_SIM_API_URL: apiUrl,
  ...Object.fromEntries(
    env
      .flatMap((set) => Object.entries(set))
      .filter(([, value]) => value === "apiUrl")
      .map(([name]) => [name, apiUrl]),
  ),
});

/** Calls that passed, without their secrets, and those that are not written down. */
class Capture {
  readonly calls: RecordedCall[] = [];
  readonly notes: string[] = [];
  private readonly secrets = new Set<string>();

  take({ call, secrets }: ReturnType<typeof capturedCall>) {
    this.calls.push(call);
    this.keepOut(secrets);
  }

  keepOut(secrets: readonly string[]) {
    for (const secret of secrets) if (secret.length >= SHORTEST_SECRET) this.secrets.add(secret);
  }

  /** The scenario; a secret that another text repeats is taken out there too. */
  scenario(name: string) {
    const now = this.calls.at(-1)?.at ?? "";
    const done = { name, calls: this.calls, now, clock: "awaited" as const };
    const { scenario, notes } = recordedScenario(done, (text) =>
      text === undefined ? undefined : parsed(text),
    );
    const secrets = [...this.secrets].map((secret) => JSON.stringify(secret).slice(1, -1));
    const bare = JSON.parse(withoutSecrets(JSON.stringify(scenario), secrets));
    return { scenario: bare, notes: [...this.notes, ...notes] };
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const listening = async (proxy: CaptureProxy, port: number) => {
  try {
    return await proxy.listen(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      { code: "PORT_TAKEN", exitCode: EXIT.notDone },
      `cannot listen on port ${port}: ${code}`,
      [`${EXAMPLE}    takes a free port`],
    );
  }
};

const NOTHING = "no call could be recorded, so no file was written";

/** Says what was left out of a capture in which no call came. */
const tellNothing = (
  capture: Capture,
  { isCommand }: { isCommand: boolean },
  terminal: Terminal,
) => {
  terminal.document({ event: "captured", steps: 0, notes: capture.notes });
  for (const note of capture.notes) terminal.note(note);
  if (!isCommand) return terminal.note(NOTHING);
  throw new CommandError({ code: "NOTHING_TO_RECORD", exitCode: EXIT.notDone }, NOTHING, [
    "use SERVICE_SIM_API_URL as the client's base URL; the command gets it",
  ]);
};

const writeDown = (capture: Capture, file: string, terminal: Terminal) => {
  const { scenario, notes } = capture.scenario(scenarioNameOf(file));
  writeScenario(file, scenario);
  const steps = scenario.steps.length;
  terminal.document({ event: "captured", file, steps, notes });
  terminal.print(`${terminal.style.mark("done")} ${file}: ${counted(steps, "step")}`);
  for (const note of notes) terminal.note(note);
  terminal.next(`service-sim run ./${quoted(file)}`);
};

export const command: Command = {
  name: "capture",
  summary: "record a client's calls to a hosted sandbox as a scenario",
  operands: "<url> [command...]",
  usage: "<url> [-- command...]",
  options: [
    {
      flags: "--output <file>",
      summary: "file to write the scenario to",
      default: DEFAULT_FILE,
      noEnvironment: true,
    },
    {
      flags: "--port <number>",
      summary: "port to listen on (default: a free one)",
      noEnvironment: true,
    },
    {
      flags: "--brand <word or file>",
      summary: "brand of the hosted service (default: service)",
      noEnvironment: true,
    },
    { flags: "--force", summary: "overwrite an existing file", noEnvironment: true },
    START_OPTIONS.productionPrefixes,
  ],
  notes: [
    "Clients call the printed address with their own sandbox credentials. Secrets stay out of",
    "the scenario; names and account numbers stay in it as sent.",
  ],
  examples: [EXAMPLE, `${EXAMPLE} --output checkout.json -- npm test`],
  run: async (invocation, terminal) => {
    const [baseUrl = "", program, ...args] = invocation.args;
    const { options } = invocation;
    const target = baseUrlIn(baseUrl, EXAMPLE);
    const port = portOf(options.port);
    const { brand, env } = brandFor(invocation);
    const file = typeof options.output === "string" ? options.output : DEFAULT_FILE;
    const isForced = options.force === true;
    requireWritable(file, { isForced, command: `capture ${baseUrl} --output ${quoted(file)}` });
    const capture = new Capture();
    const proxy = new CaptureProxy(
      target,
      {
        onCall: (call) =>
          capture.take(capturedCall(call, { id: `call ${capture.calls.length + 1}`, brand })),
        onLeftOut: (line, why) => capture.notes.push(`${line} skipped: ${why}`),
        onCredentials: (credentials) => capture.keepOut(credentials),
      },
      repeated(invocation, "productionPrefix"),
    );
    const apiUrl = await listening(proxy, port);
    terminal.document({ event: "capturing", target: target.href, apiUrl, file });
    const stops = program === undefined ? "    Ctrl-C ends it" : "";
    terminal.print(`${terminal.style.mark("done")} capturing ${target.href} at ${apiUrl}${stops}`);
    const variables = variablesOf(apiUrl, env);
    try {
      const code =
        program === undefined
          ? await interrupted().then(() => EXIT.done)
          : await runChild(program, args, { ...process.env, ...variables });
      await proxy.close();
      if (capture.calls.length > 0) writeDown(capture, file, terminal);
      // A command that failed before it called says itself why.
      else if (code === 0) tellNothing(capture, { isCommand: program !== undefined }, terminal);
      return code;
    } finally {
      await proxy.close();
    }
  },
};
