import type { ControlClient } from "../../../client/control-client.ts";
import type { ShownClock } from "../../../contract/control/clock.ts";
import type { CallDetails, LoggedCalls } from "../../../contract/control/requests.ts";
import type { Scenario } from "../../../contract/control/scenarios.ts";
import { readCutJson, recordedScenario } from "../../../scripts/record-scenario.ts";
import { counted } from "../../../text/layout.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { requireWritable, scenarioNameOf, writeScenario } from "../../tasks/scenario-file.ts";
import { brandReached } from "../../tasks/world-brand.ts";
import { quoted } from "../../text/called-as.ts";

const DEFAULT_LAST = "200";
const PAGE = 100;
const EXAMPLE = "service-sim scenario record checkout.json";

const countOf = (text: string | boolean | undefined) => {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1 && count <= 10_000) return count;
  throw usageError(`Expected --last to be a number from 1 to 10000 but found "${text}"`, EXAMPLE);
};

/** The last calls, oldest first, each with its bodies. */
const lastCalls = async (client: ControlClient, count: number): Promise<CallDetails[]> => {
  const ids: string[] = [];
  let cursor = "";
  do {
    const limit = Math.min(PAGE, count - ids.length);
    const page = await reach(client.get<LoggedCalls>(`/requests?limit=${limit}${cursor}`));
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor === undefined ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "" && ids.length < count);
  const calls: CallDetails[] = [];
  for (const id of ids.reverse())
    calls.push(await reach(client.get<CallDetails>(`/requests/${id}?bodies=whole`)));
  return calls;
};

const modeOf = ({ mode }: ShownClock): "manual" | "real" => (mode === "manual" ? "manual" : "real");

export const command: Command = {
  name: "record",
  summary: "write a scenario from the last calls: ids become references, secrets stay out",
  operands: "<file>",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--last <count>",
      summary: "record this many calls, up to 10000",
      default: DEFAULT_LAST,
      noEnvironment: true,
    },
    { flags: "--force", summary: "overwrite an existing file", noEnvironment: true },
  ],
  notes: [
    "Starts after the last reset. Time that passed becomes clock steps; with a running clock,",
    "pauses below a minute are left out. Calls of /_sim and files are not recorded.",
  ],
  examples: [EXAMPLE, "service-sim scenario record checkout.json --last 12"],
  run: async (invocation, terminal) => {
    const { args, options } = invocation;
    const [file = ""] = args;
    const count = countOf(options.last);
    const isForced = options.force === true;
    requireWritable(file, { isForced, command: `scenario record ${quoted(file)}` });
    const { client } = findInstance(invocation);
    const clock = await reach(client.get<ShownClock>("/clock"));
    const calls = await lastCalls(client, count);
    if (calls.length === 0)
      throw new CommandError(
        { code: "NOTHING_TO_RECORD", exitCode: EXIT.notDone },
        "the request log is empty: there is nothing to record",
        ["service-sim api POST /customers customerType=INDIVIDUAL    makes a call"],
      );
    const read = await readCutJson();
    const done = { name: scenarioNameOf(file), calls, now: clock.now, clock: modeOf(clock) };
    const { scenario: recorded, notes } = recordedScenario(done, read);
    const brand = await brandReached(client);
    const scenario = (brand?.inwardValue(recorded) ?? recorded) as Scenario;
    writeScenario(file, scenario);
    terminal.document({ file, steps: scenario.steps.length, notes });
    terminal.print(
      `${terminal.style.mark("done")} ${file}: ${counted(scenario.steps.length, "step")}`,
    );
    for (const note of notes) terminal.note(note);
    terminal.next(`service-sim run ./${file}`);
    return EXIT.done;
  },
};
