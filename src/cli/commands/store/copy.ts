import { JournalFailure } from "../../../runtime/ports.ts";
import { ServedElsewhere } from "../../../runtime/served-elsewhere.ts";
import {
  copyStores,
  isSamePlace,
  type StoreCopied,
  type StorePlace,
} from "../../../storage/copy-stores.ts";
import { StateLocked } from "../../../storage/file/lock/state-lock.ts";
import { StoreTrouble } from "../../../storage/port/store-trouble.ts";
import { CopyLeft, CopyRefused } from "../../../storage/world/copy-store.ts";
import {
  parseStorageUrl,
  STORAGE_URL,
  shownStorage,
  wrongStorageUrl,
} from "../../../storage/world/storage-url.ts";
import { counted, hints } from "../../../text/layout.ts";
import { VERSION } from "../../../version.ts";
import {
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { startFailure } from "../../frame/simulator-options.ts";
import { quoted } from "../../text/called-as.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const HELP = "service-sim store copy --help";

const COLUMNS: readonly Column[] = [
  { head: "WORLD" },
  { head: "RECORDS", align: "right" },
  { head: "SNAPSHOTS", align: "right" },
];

export const formatCopy = ({ from, to, worlds }: StoreCopied, style: Style): string[] => [
  `${style.mark("done")} copied ${counted(worlds.length, "world")} from ${from} to ${to}`,
  ...tableLines(
    COLUMNS,
    worlds.map(({ name, records, snapshots }) => [name, String(records), String(snapshots)]),
    style,
  ),
];

const placeOf = (text: string): StorePlace => {
  const place = parseStorageUrl(text);
  if (place === undefined)
    throw usageError(`Expected ${STORAGE_URL} but found ${wrongStorageUrl(text)}`, HELP);
  if (place.kind === "memory")
    throw usageError(
      "worlds in memory end with their simulator: name a folder or a database",
      HELP,
    );
  return place;
};

/** The way to be rid of all that a place has. */
const removalOf = (place: StorePlace) =>
  place.kind === "file"
    ? ([`rm -r ${quoted(place.directory)}`, "deletes it, with all its worlds"] as const)
    : (["dropdb <database>", "deletes it, with all its worlds"] as const);

const storageOf = (place: StorePlace) =>
  place.kind === "file" ? `file:${place.directory}` : shownStorage(place.url);

interface Places {
  from: StorePlace;
  to: StorePlace;
}

/** Explains why nothing was copied. */
const copyFailure = (error: unknown, { from, to }: Places, invocation: Invocation): unknown => {
  const again = `service-sim store copy ${quoted(storageOf(from))} ${quoted(storageOf(to))}`;
  const refused = (code: string, exitCode: 1 | 4, ...next: (readonly [string, string])[]) =>
    new CommandError({ code, exitCode }, (error as Error).message, hints(...next));
  if (error instanceof CopyLeft)
    return refused("COPY_UNFINISHED", EXIT.notDone, removalOf(to), [again, "then begins again"]);
  if (error instanceof StateLocked || error instanceof ServedElsewhere)
    return refused("STATE_LOCKED", EXIT.couldNotStart, [again, "once that simulator has stopped"]);
  if (error instanceof CopyRefused)
    return refused(error.code, EXIT.couldNotStart, ...nextOf(error, { again, to }));
  if (error instanceof StoreTrouble) {
    const sentence = `${error.trouble.seen}: nothing was copied`;
    return new CommandError(
      { code: "STORE_UNAVAILABLE", exitCode: EXIT.couldNotStart },
      sentence,
      hints([again, "tries it again"]),
    );
  }
  if (error instanceof JournalFailure)
    return new CommandError(
      { code: "COPY_FAILED", exitCode: EXIT.notDone },
      `nothing was copied: ${error.message}`,
      hints([again, "tries it again"]),
    );
  const storage = storageOf(placeIn(error, from, to));
  return startFailure(error, {
    ...invocation,
    options: { ...invocation.options, storage },
    sources: { ...invocation.sources, storage: "cli" },
  });
};

/** The place that a failure names: the source, unless it names the target. */
const placeIn = (error: unknown, from: StorePlace, to: StorePlace) => {
  const named = to.kind === "file" ? to.directory : addressOf(to.url);
  return error instanceof Error && error.message.includes(named) ? to : from;
};

const addressOf = (url: string) => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

const nextOf = ({ code }: CopyRefused, of: { again: string; to: StorePlace }) => {
  if (code === "STATE_LOCKED") return [[of.again, "once that simulator has stopped"]] as const;
  if (code === "STORE_EMPTY") return [["service-sim start", "begins a world"]] as const;
  return [[HELP, "or name another target"], removalOf(of.to)] as const;
};

export const command: Command = {
  name: "copy",
  summary: "copy all worlds of a folder or database to another one, which has none",
  operands: "<source> <target>",
  options: [],
  examples: ["service-sim store copy file:.service-sim postgres://sim@127.0.0.1/sim"],
  run: async (invocation, terminal) => {
    const [first = "", second = ""] = invocation.args;
    const [from, to] = [placeOf(first), placeOf(second)];
    if (isSamePlace(from, to))
      throw usageError(`${storageOf(from)} is named twice: name another target`, HELP);
    const copied = await copyStores(from, to, VERSION).catch((error: unknown) => {
      throw copyFailure(error, { from, to }, invocation);
    });
    terminal.document(copied);
    terminal.print(...formatCopy(copied, terminal.style));
    return EXIT.done;
  },
};
