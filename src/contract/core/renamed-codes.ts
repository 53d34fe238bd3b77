import type { ErrorCode, FaultCode } from "./error-codes.ts";
import type { Revision } from "./revision-names.ts";
import { hasChange, type RevisionChange } from "./revisions.ts";

interface LaterName {
  since: RevisionChange;
  name: ErrorCode;
}

/** Codes that faults answer under another name since a change (spec/later-payments.md#service-unavailable). */
const LATER_NAMES: Partial<Record<FaultCode | ErrorCode, LaterName>> = {
  UNAVAILABLE: { since: "serviceUnavailable", name: "SERVICE_UNAVAILABLE" },
};

/** The name of a fault's code in a revision. */
export const faultCodeIn = (
  revision: Revision,
  code: FaultCode | ErrorCode,
): FaultCode | ErrorCode => {
  const later = LATER_NAMES[code];
  return later && hasChange(revision, later.since) ? later.name : code;
};
