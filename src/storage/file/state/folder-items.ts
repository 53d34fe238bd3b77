import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { bytesAt } from "../../format/checked-file.ts";
import type { Items } from "../../port/items.ts";
import { keyFiles, pathOfKey } from "./key-files.ts";

/** Halves of the request log that a kill cut off while it was written. */
const CUT_OFF = /^requests\.json\.tmp-[0-9]+$/;

const removeCutOff = async (directory: string) => {
  if (!existsSync(directory)) return;
  for (const name of (await readdir(directory)).filter((one) => CUT_OFF.test(one)))
    await rm(join(directory, name), { force: true });
};

/** The items of a world as files in its folder: `identity.json`. */
export const folderItems = (directory: string, storage = keyFiles(directory)): Items => {
  return {
    item: (item) => bytesAt(storage, item),
    putItem: async (item, bytes) => {
      if (item === "requests") await removeCutOff(directory);
      if (bytes) await storage.setItemRaw(item, bytes);
      else await storage.removeItem(item);
    },
    placeOf: (item) => pathOfKey(directory, item),
  };
};
