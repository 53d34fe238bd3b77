import { isFolderGone } from "../../machine/working-folder.ts";
import { JournalFailure, type PassingTrouble } from "../../runtime/ports.ts";
import { CommandError, EXIT } from "./command.ts";

/** The failure of a command that looks for files in a working folder that is gone. */
export const folderGone = (exitCode: number = EXIT.usage) =>
  new CommandError(
    { code: "FOLDER_GONE", exitCode },
    "the folder in which this runs has been removed",
    [
      "change to a folder that exists, then run it again",
      ...(exitCode === EXIT.notReachable ? ["or name the simulator with --url"] : []),
    ],
  );

/** A refusal of the system about a file, such as EACCES. */
const refusedFile = ({ code, path }: NodeJS.ErrnoException) =>
  new CommandError(
    { code: "FILE_REFUSED", exitCode: EXIT.notDone },
    `cannot use ${path}: ${code}`,
    ["check that it exists, and that this user may read and write it"],
  );

/** A simulator that ends while its store is in trouble: it cannot give its worlds back. */
const endedInTrouble = ({ seen }: PassingTrouble) =>
  new CommandError(
    { code: "STORE_UNAVAILABLE", exitCode: EXIT.notDone },
    `${seen}: the simulator ended without giving its worlds back; all that was acknowledged is kept`,
    ["start it again when the store works: its worlds are free a few seconds after this"],
  );

const firstLineOf = (thrown: unknown) =>
  String(thrown instanceof Error ? thrown.message : thrown).split("\n")[0];

/** Prints the whole stack where its developer asks for it, by the variable that Node.js has for it. */
const tellDeveloper = (thrown: unknown) =>
  process.getBuiltinModule("node:util").debuglog("service-sim")("%o", thrown);

const unexpected = (thrown: unknown) => {
  tellDeveloper(thrown);
  return new CommandError(
    { code: "UNEXPECTED", exitCode: EXIT.notDone },
    `an error of service-sim itself: ${firstLineOf(thrown)}`,
    ["run it again with NODE_DEBUG=service-sim, and report what that prints"],
  );
};

/**
 * The one gate of all that a command throws: a failure for people, never a stack of ours, which
 * tells nothing to those who meet it.
 */
export const toldFailure = (thrown: unknown): CommandError => {
  if (thrown instanceof CommandError) return thrown;
  if (isFolderGone(thrown)) return folderGone();
  if (thrown instanceof JournalFailure && thrown.trouble) return endedInTrouble(thrown.trouble);
  const { code, path } = (thrown ?? {}) as NodeJS.ErrnoException;
  return typeof code === "string" && path !== undefined
    ? refusedFile(thrown as NodeJS.ErrnoException)
    : unexpected(thrown);
};
