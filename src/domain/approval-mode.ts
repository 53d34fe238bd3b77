import type { Rule, View } from "./draft.ts";
import { platformConfig } from "./platform-config.ts";
import type { ApprovalMode } from "./records.ts";
import { settingsInForce } from "./world-settings.ts";

/** Who decides about the actions of agents that wait. */
export const approvalMode = (view: View): ApprovalMode => settingsInForce(view).approvals;

/** PUT /_sim/approvals: counts for actions that begin to wait from now on. */
export const setApprovals: Rule<{ mode: ApprovalMode }, { mode: ApprovalMode }> = (
  draft,
  { mode },
) => {
  draft.put("PlatformConfig", { ...platformConfig(draft), approvals: mode });
  return { mode };
};
