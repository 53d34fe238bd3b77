import type { AgentActionRecord } from "../../domain/records/agent-records.ts";

/** The row of the policy that has an action wait, with what it compared. */
export const becauseOfAction = ({ judged: { decidedBy, checks } }: AgentActionRecord) => {
  const {
    name: rule,
    passed: _passed,
    ...found
  } = checks.find(({ name }) => name === decidedBy) ?? { name: decidedBy };
  return { rule, ...found };
};
