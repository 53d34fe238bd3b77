import type { Rule, View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { settingsInForce } from "../core/world-settings.ts";
import type { ApprovalMode } from "../records/agent-records.ts";

/** The approval mode: a person or the simulator decides about waiting actions. */
export const approvalMode = (view: View): ApprovalMode => settingsInForce(view).approvals;

/** PUT /_sim/approvals: counts for actions that begin to wait from now on. */
export const setApprovals: Rule<{ mode: ApprovalMode }, { mode: ApprovalMode }> = (
  draft,
  { mode },
) => {
  draft.put("PlatformConfig", { ...platformConfig(draft), approvals: mode });
  return { mode };
};
