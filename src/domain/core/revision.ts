import {
  FIRST_REVISION,
  hasChange,
  REVISION_CHANGES,
  type Revision,
  type RevisionChange,
  revisionBefore,
  takenBy,
} from "../../contract/core/revisions.ts";
import type { View } from "./draft.ts";

/** The revision of the service that a world serves (spec/revisions.md). */
export const revisionOf = (view: View): Revision => {
  const [id] = view.ids("PlatformConfig", "all", "");
  const config = id === undefined ? undefined : view.get("PlatformConfig", id);
  return config?.revision ?? FIRST_REVISION;
};

/** Tells whether a world serves a change of a later revision. */
export const isChanged = (view: View, change: RevisionChange): boolean =>
  hasChange(revisionOf(view), change);

/** Names the revision that takes what a world refuses: the one of a change, or the one before it. */
export const takenElsewhere = (view: View, change: RevisionChange): string =>
  takenBy(isChanged(view, change) ? revisionBefore(change) : REVISION_CHANGES[change].since);

/** The same words as a sentence of their own. */
export const asSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
