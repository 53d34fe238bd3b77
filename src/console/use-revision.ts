import type { SimulatorStatus } from "../contract/control/status.ts";
import { FIRST_REVISION, type Revision } from "../contract/core/revision-names.ts";
import { useReadOnce } from "./reference/read-once.ts";

/** The revision that the world serves; the first one until it is known. */
export const useRevision = (): Revision => {
  const { body } = useReadOnce<Pick<SimulatorStatus, "settings">>("/status");
  return (body?.settings.revision as Revision | undefined) ?? FIRST_REVISION;
};
