import { OtherFormat } from "../../runtime/change.ts";
import { ServedElsewhere } from "../../runtime/served-elsewhere.ts";
import { StoreRefused, StoreTrouble } from "../../storage/port/store-trouble.ts";
import { hints } from "../../text/layout.ts";
import { CommandError, EXIT } from "./command.ts";

const withoutStop = (sentence: string) => sentence.replace(/\.$/, "");

const startAgain = (at: string) => `service-sim start${at}`;

const inMemory = ["service-sim start --storage memory:", "or run in memory"] as const;

const DROP = "dropdb <database>";

/** Ways to begin again where `--fresh` moves nothing aside. */
export const INSTEAD_OF_FRESH = hints(
  ["service-sim reset", "takes the running world back to its start"],
  [DROP, "deletes all worlds, once no simulator runs"],
);

/** The failure of a start that names other settings than its database has. */
export const otherSettings = ({ message }: Error, at: string) =>
  new CommandError(
    { code: "STATE_DIFFERS", exitCode: EXIT.couldNotStart },
    message,
    hints(
      [startAgain(at), "continue with that state"],
      [DROP, "or delete all worlds, once no simulator runs"],
      inMemory,
    ),
  );

/**
 * Explains why worlds of a database cannot be used; nothing for other errors.
 * @param at option ` --storage …` for hints, without a password
 */
export const storeFailure = (error: unknown, at: string): CommandError | undefined => {
  const exitCode = EXIT.couldNotStart;
  if (error instanceof StoreRefused)
    return new CommandError(
      { code: "STORE_REFUSED", exitCode },
      withoutStop(error.message),
      hints(
        [`service-sim store check${at.replace(" --storage", "")}`, "checks it again"],
        inMemory,
      ),
    );
  if (error instanceof ServedElsewhere)
    return new CommandError(
      { code: "STATE_LOCKED", exitCode, details: { owner: error.owner } },
      error.message,
      hints([startAgain(at), "once that simulator has stopped"], inMemory),
    );
  if (error instanceof StoreTrouble)
    return new CommandError(
      { code: "STORE_UNAVAILABLE", exitCode },
      `${error.trouble.seen}: nothing was started`,
      hints([startAgain(at), "tries it again"], inMemory),
    );
  if (error instanceof OtherFormat && error.isNewer && isAddress(error))
    return new CommandError({ code: "STATE_FORMAT", exitCode }, error.message, [
      "start it with the newer version that wrote it",
      ...hints(inMemory),
    ]);
  if (error instanceof OtherFormat && isAddress(error))
    return new CommandError({ code: "STATE_FORMAT", exitCode }, error.message, [
      ...hints(
        [`service-sim store upgrade${at.replace(" --storage", "")}`, "raises its format"],
        inMemory,
      ),
    ]);
  return undefined;
};

const isAddress = ({ where }: OtherFormat) => where.startsWith("postgres://");
