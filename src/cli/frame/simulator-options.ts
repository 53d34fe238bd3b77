import { defined } from "../../contract/core/defined.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { MissingPackage, sentenceOf } from "../../machine/optional-package.ts";
import { readUserText } from "../../machine/user-text.ts";
import { isFolderGone } from "../../machine/working-folder.ts";
import {
  LIST,
  optionName,
  type SharedOption,
  type SpanBounds,
  SWITCH,
} from "../../options/option-row.ts";
import { START_OPTIONS } from "../../options/start-options.ts";
import { JournalDamage, OtherFormat } from "../../runtime/change.ts";
import { StateDamage } from "../../runtime/damage.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { OptionError, type SimulatorOptions } from "../../simulator.ts";
import { RecordsMissing } from "../../storage/file/journal/journal-end.ts";
import { StateLocked } from "../../storage/file/lock/state-lock.ts";
import { LeftAside } from "../../storage/file/state/set-aside.ts";
import { WorldExists } from "../../storage/open-world.ts";
import {
  parseStorageUrl,
  STORAGE_URL,
  shownStorage,
  wrongStorageUrl,
} from "../../storage/world/storage-url.ts";
import { counted, hints } from "../../text/layout.ts";
import { quoted } from "../text/called-as.ts";
import { brandOption } from "./brand-file.ts";
import { certificatesFrom } from "./certificate-file.ts";
import { CommandError, EXIT, type Invocation, ofOption, usageError } from "./command.ts";
import { folderGone } from "./failure-message.ts";
import { instanceDirectory, readInstance } from "./instance-file.ts";
import { urlHint } from "./reach.ts";
import { placeFailure } from "./state-place.ts";
import { INSTEAD_OF_FRESH, otherSettings, storeFailure } from "./store-failure.ts";

const text = (value: string | boolean | undefined) =>
  typeof value === "string" ? value : undefined;

const list = (value: string | boolean | undefined) =>
  text(value)
    ?.split(",")
    .map((item) => item.trim())
    .filter(Boolean);

/** The whole number of an option; refuses one out of its bounds. */
export const wholeNumber = (option: string, value: string, { min, max, or = "" }: NumberBounds) => {
  const number = Number(value);
  const bounds = min === undefined ? `up to ${max}` : `from ${min} to ${max}`;
  if (!/^[0-9]+$/.test(value) || number > max || number < (min ?? 0))
    throw usageError(
      `Expected ${option} to be a whole number ${bounds}${or} but found "${value}"`,
      "service-sim start --help",
    );
  return number;
};

/** No time at all, which is no span of a clock. */
const NO_TIME = /^0(ms|s)?$/;

const spanOf = (option: string, value: string, { minMs, maxMs }: SpanBounds) => {
  const spanMs = NO_TIME.test(value) ? 0 : parseDuration(value);
  if (spanMs === undefined || spanMs < minMs || spanMs > maxMs)
    throw usageError(
      `Expected ${option} to be a span from ${minMs / 1000}s to ${maxMs / 1000}s but found "${value}"`,
      "service-sim start --help",
    );
  return spanMs;
};

interface NumberBounds {
  min?: number;
  max: number;
  /** A word that may stand instead, with its `or`. */
  or?: string;
}

export const portOf = ({ options }: Invocation): number | "auto" => {
  const port = String(options.port);
  return port === "auto" ? port : wholeNumber("--port", port, { max: 65_535, or: " or auto" });
};

/** The storage that was probably meant: a path lacks its beginning, and `memory` its colon. */
const meantStorage = (storage: string) => {
  if (storage === "memory") return ["service-sim start --storage memory:"];
  const isPath = /^[\w.-]*\/[\w./-]*$/.test(storage);
  return isPath ? [`service-sim start --storage file:${storage}`] : [];
};

/** Refuses a wrong `--storage` before anything is made for it. */
export const requireStorage = ({ options }: Invocation) => {
  const storage = String(options.storage);
  if (!parseStorageUrl(storage))
    throw usageError(
      `Expected --storage to be ${STORAGE_URL} but found ${wrongStorageUrl(storage)}`,
      ...meantStorage(storage),
      "service-sim start --help",
    );
};

const keyIn = (file: string) => {
  try {
    return readUserText(file);
  } catch (error) {
    throw usageError(
      `--webhook-key: cannot read the PEM file ${file}: ${fileFault(error)}`,
      "openssl ecparam -name prime256v1 -genkey -noout -out webhook.pem    creates one",
    );
  }
};

const approvalsOf = ({ autoApprove, autoReject, approvals }: Invocation["options"]) => {
  const said = [
    ...(autoApprove ? [{ flag: "--auto-approve", mode: "approve" }] : []),
    ...(autoReject ? [{ flag: "--auto-reject", mode: "reject" }] : []),
    ...(approvals === undefined ? [] : [{ flag: "--approvals", mode: text(approvals) }]),
  ];
  const [first, second] = said;
  if (second && new Set(said.map(({ mode }) => mode)).size > 1)
    throw usageError(
      `${first?.flag} cannot be used with ${second.flag}`,
      "service-sim start --help",
    );
  return first?.mode;
};

/** Values of a repeatable option: given one by one, or separated by commas. */
export const repeated = ({ options, lists }: Invocation, name: string) =>
  lists?.[name]?.flatMap((value) => list(value) ?? []) ?? list(options[name]);

/** An option as the library takes it; its row says how it is read. */
const givenAs = (
  invocation: Invocation,
  { form, flags, repeats, max, span, file }: SharedOption<unknown>,
) => {
  const name = optionName(flags);
  if (form === LIST || repeats) return repeated(invocation, name);
  if (form === SWITCH) return invocation.options[name] === true ? true : undefined;
  const value = text(invocation.options[name]);
  if (value === undefined) return undefined;
  const [flag = flags] = flags.split(" ");
  if (max !== undefined) return wholeNumber(flag, value, { max });
  if (span !== undefined) return spanOf(flag, value, span);
  return file ? ofOption(flag, () => FILES[file](value)) : value;
};

const FILES = { brand: brandOption, certificates: certificatesFrom, key: keyIn };

const isShared = (row: object): row is SharedOption<unknown> => "form" in row && "flags" in row;

/** Options of the library that a command line gives, but for its capsule, which commands write. */
export const simulatorOptions = (
  invocation: Invocation,
  /** The place of the state, and whether a first call opens a world where no option says it. */
  { storage, worlds }: Required<Pick<SimulatorOptions, "storage" | "worlds">>,
): SimulatorOptions => {
  const entries = Object.entries(START_OPTIONS).flatMap(([name, row]) =>
    isShared(row) ? [[name, givenAs(invocation, row)] as const] : [],
  );
  const approvals = approvalsOf(invocation.options);
  const { capsule: _, ...options } = defined(
    Object.fromEntries([...entries, ["approvals", approvals]]),
  ) as SimulatorOptions;
  return { worlds, ...options, storage };
};

const NO_FILES = "service-sim start --storage memory:";

/** Whether the state is in a database, which no start moves aside. */
const isDatabase = (invocation: Invocation | undefined) =>
  parseStorageUrl(String(invocation?.options.storage))?.kind === "postgres";

/** Option ` --storage …` for hints, when it was typed. */
export const storageHint = (invocation: Invocation | undefined) =>
  invocation?.sources?.storage === "cli"
    ? ` --storage ${shownStorageWord(String(invocation.options.storage))}`
    : "";

/** As it was typed, but for a password, in whose place a shell would see a pattern. */
const shownStorageWord = (storage: string) => {
  const shown = shownStorage(storage);
  return shown === storage ? storage : quoted(shown);
};

/** Options of a new world that were typed, quoted for a shell: ` --seed 8`. */
const beginningHint = (invocation: Invocation | undefined) =>
  ["seed", "now", "fixture"]
    .filter((name) => invocation?.sources?.[name] === "cli")
    .map((name) => ` --${name} ${quoted(String(invocation?.options[name]))}`)
    .join("");

/** The sentence of a library's refusal, with the option as the command line has it. */
const optionSentence = ({ option, message }: OptionError) => {
  if (option === undefined) return message;
  const row: object = START_OPTIONS[option];
  const [flag = option] = isShared(row) ? row.flags.split(" ") : [option];
  const said = message.startsWith(`${option}: `)
    ? flag + message.slice(option.length)
    : message.replace(`Expected ${option} `, () => `Expected ${flag} `);
  return said.includes(flag) ? said : `${flag}: ${said}`;
};

/**
 * Explains a failure to open a simulator; rethrows any other error.
 * @param invocation typed arguments, for hints about the same state
 */
export const startFailure = (error: unknown, invocation?: Invocation): unknown => {
  const at = storageHint(invocation);
  if (error instanceof CommandError) return error;
  if (error instanceof OptionError && isFolderGone(error.cause)) return folderGone();
  if (error instanceof OptionError)
    return usageError(
      optionSentence(error),
      ...(error.option === "storage" ? meantStorage(String(invocation?.options.storage)) : []),
      ...(error.option === "fresh" ? INSTEAD_OF_FRESH : []),
      "service-sim start --help",
    );
  if (error instanceof ScriptTextError)
    return usageError(`--fixture: ${error.message}`, "service-sim start --help");
  if (error instanceof MissingPackage) return usageError(sentenceOf(error), error.install);
  if (error instanceof WorldExists) return differs(error, invocation);
  const ofStore = storeFailure(error, at);
  if (ofStore) return ofStore;
  if (error instanceof StateLocked) return lockedFailure(error, invocation);
  if (error instanceof JournalDamage)
    return new CommandError(
      {
        code: "STATE_DAMAGED",
        exitCode: EXIT.couldNotStart,
        details: { file: error.file, offset: error.offset, wholeRecords: error.wholeRecords },
      },
      error.message,
      hints(
        [
          `service-sim doctor --repair${at}`,
          `keep these ${error.wholeRecords} and set the rest aside`,
        ],
        [NO_FILES, "or run in memory"],
      ),
    );
  if (error instanceof StateDamage)
    return new CommandError(
      {
        code: "STATE_DAMAGED",
        exitCode: EXIT.couldNotStart,
        details: { file: error.file, found: error.found },
      },
      error.message,
      hints(
        [
          `service-sim doctor --repair${at}`,
          error instanceof RecordsMissing
            ? `keep ${counted(error.records, "change")}, and list what is lost`
            : "move it aside and list the changes",
        ],
        [NO_FILES, "or run in memory"],
      ),
    );
  if (error instanceof LeftAside)
    return new CommandError({ code: "STATE_ASIDE", exitCode: EXIT.couldNotStart }, error.message, [
      `service-sim start --storage ${quoted(`file:${error.asideIn}`)}`,
    ]);
  if (error instanceof JournalFailure)
    return new CommandError(
      { code: "STATE_UNWRITABLE", exitCode: EXIT.couldNotStart },
      `cannot write the journal: ${error.message}`,
      hints([NO_FILES, "run in memory"]),
    );
  if (error instanceof OtherFormat)
    return new CommandError({ code: "STATE_FORMAT", exitCode: EXIT.couldNotStart }, error.message, [
      ...(error.isNewer
        ? ["start it with the newer version that wrote it"]
        : hints([`service-sim start --fresh${at}`, "set it aside, and begin a new one"])),
      ...hints([NO_FILES, "or run in memory"]),
    ]);
  return unreadable(error as NodeJS.ErrnoException);
};

/** The failure of a start that names other settings than the state has. */
const differs = (error: WorldExists, invocation: Invocation | undefined) => {
  const at = storageHint(invocation);
  if (isDatabase(invocation)) return otherSettings(error, at);
  return usageError(
    error.message,
    ...hints(
      [`service-sim start${at}`, "continue with that state"],
      [`service-sim start${at} --fresh${beginningHint(invocation)}`, "or move that state aside"],
      [NO_FILES, "or run in memory"],
    ),
  );
};

/** Explains a failure of the file system; rethrows a bug. */
const unreadable = (error: NodeJS.ErrnoException): unknown => {
  if (typeof error.code !== "string" || isFolderGone(error)) return error;
  const { sentence, next } = placeFailure(error) ?? {
    sentence: `cannot use the state directory: ${error.message}`,
    next: hints([NO_FILES, "run in memory"]),
  };
  return new CommandError(
    { code: "STATE_UNREADABLE", exitCode: EXIT.couldNotStart },
    sentence,
    next,
  );
};

/** Option ` --url …` for a hint about the simulator that owns the requested state. */
export const ownerHint = (invocation: Invocation, pid: number) => {
  const instance = readInstance(instanceDirectory(String(invocation.options.storage)));
  return urlHint(invocation, instance?.pid === pid ? instance.url : undefined);
};

const lockedFailure = (
  { message, owner, isCertain }: StateLocked,
  invocation: Invocation | undefined,
) => {
  const stop = `service-sim stop${invocation ? ownerHint(invocation, owner.pid) : ""}`;
  return new CommandError(
    { code: "STATE_LOCKED", exitCode: EXIT.couldNotStart, details: { pid: owner.pid } },
    message,
    isCertain
      ? hints([stop, "stop it, then start again"], [NO_FILES, "run a second one in memory"])
      : hints([
          `service-sim start --force${storageHint(invocation)}`,
          "take over, if the other one is not running",
        ]),
  );
};
