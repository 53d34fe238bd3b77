import { sharedOpenApi } from "../api/openapi.ts";
import { sharedControlOpenApi } from "../control/openapi.ts";
import type { View } from "../domain/core/draft.ts";
import { revisionOf } from "../domain/core/revision.ts";
import { VERSION } from "../version.ts";

/** The OpenAPI document of a surface in a world's revision. */
export const sharedDocument = (surface: "platform" | "control", view: View) =>
  (surface === "control" ? sharedControlOpenApi : sharedOpenApi)(VERSION, revisionOf(view));
