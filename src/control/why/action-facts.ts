import type { ActionFacts } from "../../contract/control/approvals.ts";
import type { AgentActionRecord } from "../../domain/records/agent-records.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { factsOf } from "./why-facts.ts";

/** The row of the policy that has an action wait, with what it compared. */
const becauseOfAction = ({ judged: { decidedBy, checks } }: AgentActionRecord) => {
  const {
    name: rule,
    passed: _passed,
    ...compared
  } = checks.find(({ name }) => name === decidedBy) ?? { name: decidedBy };
  return { rule, ...compared };
};

/** The members of an agent's action that the list of approvals and the feed share. */
export const actionFacts = (state: WorldState, record: AgentActionRecord): ActionFacts => {
  const { sends, payee } = factsOf(state, record.id);
  return {
    agentName: state.get("Agent", record.agentId)?.name ?? "",
    type: record.request.type,
    status: record.status,
    amount: sends?.amount ?? 0,
    currency: sends?.currency ?? "",
    to: payee ?? { id: "" },
    because: becauseOfAction(record),
  };
};
