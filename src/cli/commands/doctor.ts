import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { docPage } from "../../control/core/doc-pages.ts";
import { optionName } from "../../options/option-row.ts";
import { START_FLAGS } from "../../options/start-options.ts";
import { type RepairReport, repairState } from "../../storage/file/doctor/repair-state.ts";
import { StateLocked } from "../../storage/file/lock/state-lock.ts";
import { isStateDirectory } from "../../storage/file/state/state-folder.ts";
import {
  DEFAULT_DIRECTORY,
  parseStorageUrl,
  shownStorage,
} from "../../storage/world/storage-url.ts";
import { counted } from "../../text/layout.ts";
import type { MarkName } from "../../text/marks.ts";
import { type Command, CommandError, EXIT, type Invocation, variableOf } from "../frame/command.ts";
import { CONFIG_FILES } from "../frame/config-file.ts";
import { DEFAULT_STORAGE, instanceDirectory } from "../frame/instance-file.ts";
import { ownerHint, storageHint } from "../frame/simulator-options.ts";
import {
  type Check,
  checkInstance,
  checkNode,
  checkSettings,
  checkTerminal,
} from "../tasks/doctor-checks.ts";
import { checkDirectory } from "../tasks/doctor-state.ts";
import { printPage } from "../tasks/printed-page.ts";
import { asCalled } from "../text/called-as.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

/** An option, its value and the source of the value. */
export interface Setting {
  option: string;
  value: string;
  /** cli, env, config or default. */
  from: string;
  /** The environment variable that sets the option too. */
  variable: string;
}

/** The checks of a run and their findings. */
export interface Diagnosis {
  checks: readonly Check[];
  settings: readonly Setting[];
  /** The config file that was read, if there is one. */
  configFile?: string;
}

const SECRETS = new Set(["clientSecret"]);

const shownValue = (option: string, value: string) => {
  if (SECRETS.has(option)) return "(a secret)";
  return option === "storage" ? shownStorage(value) : value;
};

const settingsOf = ({ options, lists, sources }: Invocation): Setting[] =>
  START_FLAGS.map(({ flags }) => ({ option: optionName(flags), variable: variableOf(flags) }))
    .filter(({ option }) => options[option] !== undefined || lists?.[option] !== undefined)
    .map(({ option, variable }) => ({
      option,
      value: shownValue(option, String(options[option] ?? lists?.[option]?.join(","))),
      from: sources?.[option] ?? "default",
      variable,
    }));

/** The place to change a value: a flag, a variable or the config file. */
const placeOf = ({ from, variable }: Setting, configFile: string | undefined) =>
  ({ cli: "flag", env: variable, config: configFile })[from] ?? from;

const markOf = ({ ok, isWarning }: Check): MarkName => {
  if (!ok) return "failed";
  return isWarning ? "waits" : "done";
};

const SETTING_COLUMNS: readonly Column[] = [
  { head: "OPTION" },
  { head: "VALUE", as: "path" },
  { head: "FROM" },
];

export const formatDoctor = (
  { checks, settings, configFile }: Diagnosis,
  style: Style,
): string[] => [
  ...tableLines(
    [{}, { as: "words" }],
    checks.map((one) => [`${style.mark(markOf(one))} ${one.check}`, one.found]),
    style,
  ),
  "",
  ...tableLines(
    SETTING_COLUMNS,
    settings.map((one) => [one.option, one.value, placeOf(one, configFile)]),
    style,
  ),
];

/** Reports changes a repair kept and dropped, and the effect on clients and receivers. */
export const formatRepair = (
  { kept, givenUp, asideIn, changes }: RepairReport,
  { mark }: Style,
): string[] => [
  `${mark(kept === 0 && givenUp > 0 ? "waits" : "done")} kept ${counted(kept, "change")}, ` +
    `dropped ${givenUp}; the removed parts are in ${asideIn}`,
  ...changes.map((change) => `  ${change}`),
];

/** Says why a repair did nothing; a check that failed says it by itself. */
const formatUnrepaired = (directory: string, { checks }: Diagnosis, { mark }: Style): string[] => {
  if (checks.some((one) => one.check === "state" && !one.ok)) return [];
  if (isStateDirectory(directory)) return [`${mark("done")} nothing to repair`];
  const why = existsSync(directory) ? "has no state" : "does not exist";
  return [`${mark("done")} nothing to repair: ${directory} ${why}`];
};

/** Repairs a state; a folder without one stays as it is, since a lock would be made in it. */
const repair = async (directory: string, invocation: Invocation) => {
  if (!isStateDirectory(directory)) return undefined;
  try {
    return await repairState(directory);
  } catch (error) {
    if (!(error instanceof StateLocked)) throw error;
    const stop = `service-sim stop${ownerHint(invocation, error.owner.pid)}`;
    throw new CommandError({ code: "STATE_LOCKED", exitCode: EXIT.couldNotStart }, error.message, [
      `${stop}    then service-sim doctor --repair${storageHint(invocation)}`,
    ]);
  }
};

const asPasted = ({ next, ...rest }: Check): Check => ({
  ...rest,
  ...(next !== undefined && { next: asCalled(next) }),
});

/** Checks the folder or the database of the state. */
const checkStateOf = async (invocation: Invocation, directory: string) => {
  const at = storageHint(invocation);
  const storage = parseStorageUrl(String(invocation.options.storage));
  if (storage?.kind !== "postgres") return checkDirectory(directory, at);
  const { checkDatabase } = await import("../tasks/doctor-store.ts");
  return checkDatabase(storage.url, at);
};

const diagnose = async (invocation: Invocation, directory: string): Promise<Diagnosis> => {
  const configFile = CONFIG_FILES.find((name) => existsSync(name));
  const checks = [
    checkNode(process.versions.node),
    ...(await checkStateOf(invocation, directory)),
    ...(await checkInstance(invocation)),
    ...(await checkSettings(invocation)),
    checkTerminal(process.stdout, process.env.TERM),
  ];
  const isFirst = ({ found }: Check, at: number) =>
    checks.findIndex((one) => one.found === found) === at;
  return {
    // The endpoint of a simulator that runs is often the one of its settings too.
    checks: checks.filter(isFirst).map(asPasted),
    settings: settingsOf(invocation),
    ...(configFile && { configFile }),
  };
};

export const command: Command = {
  name: "doctor",
  summary: "check this machine, the state and the settings",
  options: [
    {
      flags: "--repair",
      summary: "repair damaged state and keep the removed parts in a folder",
      noEnvironment: true,
    },
    {
      flags: "--promises",
      summary: "print each promise, its limits and its tests",
      noEnvironment: true,
    },
    {
      flags: "--url <origin>",
      summary: "address of the simulator to check (default: the one in .service-sim)",
    },
    ...START_FLAGS.filter(({ flags }) => !/--(detach|verbose|open|qr|tunnel)/.test(flags)),
  ],
  examples: ["service-sim doctor", "service-sim doctor --repair", "service-sim doctor --promises"],
  bearsBadConfig: true,
  run: async (invocation, terminal) => {
    if (invocation.options.promises === true) {
      await printPage(docPage("spec/promises"), terminal);
      return EXIT.done;
    }
    const storage = String(invocation.options.storage ?? DEFAULT_STORAGE);
    const directory = resolve(instanceDirectory(storage) ?? DEFAULT_DIRECTORY);
    const isRepair = invocation.options.repair === true;
    const repaired = isRepair ? await repair(directory, invocation) : undefined;
    const diagnosis = await diagnose(invocation, directory);
    const { checks } = diagnosis;
    const ok = checks.every((one) => one.ok);
    terminal.document({ ok, ...diagnosis, ...(repaired && { repaired }) });
    const { style } = terminal;
    const unrepaired = isRepair ? formatUnrepaired(directory, diagnosis, style) : [];
    const first = repaired ? formatRepair(repaired, style) : unrepaired;
    terminal.print(...first, ...formatDoctor(diagnosis, style));
    for (const { next } of checks) if (next !== undefined) terminal.next(next);
    return ok ? EXIT.done : EXIT.notDone;
  },
};
