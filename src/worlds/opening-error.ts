import { isFolderGone } from "../machine/working-folder.ts";
import { OptionError } from "../options/simulator-options.ts";
import { ScriptTextError } from "../scripts/script-text.ts";

const FOLDER_GONE =
  "Expected the folder in which this runs but it has been removed: use absolute paths";

/** Error of a start, as its caller gets it. */
export const openingError = (error: unknown): unknown => {
  if (error instanceof ScriptTextError) return new OptionError(error.message, "fixture", error);
  return isFolderGone(error) ? new OptionError(FOLDER_GONE, undefined, error) : error;
};
