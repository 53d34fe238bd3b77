import { parseStorageUrl, type StorageUrl, shownStorage } from "../../storage/world/storage-url.ts";
import { type Invocation, usageError } from "../frame/command.ts";
import { quoted } from "../text/called-as.ts";

const STORE_URL = "postgres://<user>:<password>@<host>:<port>/<database>";

/** The database that a command of `store` means: its operand, else the storage of a start here. */
export const wantedStore = ({ args: [url], options, config }: Invocation) => {
  const storage = url ?? process.env.SERVICE_SIM_STORAGE ?? config?.storage ?? options.storage;
  const place: StorageUrl | undefined = parseStorageUrl(String(storage ?? ""));
  if (place?.kind !== "postgres")
    throw usageError(
      storage === undefined
        ? "say which database, for example: store check postgres://sim@127.0.0.1/sim"
        : `Expected ${STORE_URL} but found ${JSON.stringify(shownStorage(String(storage)))}`,
      "service-sim store --help",
    );
  const shown = shownStorage(place.url);
  return { url: place.url, hint: url === undefined ? "" : ` --storage ${quoted(shown)}` };
};
