import type { AgentPermission } from "../../contract/agents/agents.ts";
import { digestHex } from "../../crypto/digest.ts";
import type { Moment, Reading, View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { unitsPerUsd } from "../money/rates.ts";
import type { AgentRecord } from "../records/agent-records.ts";
import {
  type JudgedAction,
  type JudgedAgent,
  judgeAction,
  requireNotDenied,
} from "./agent-policy.ts";
import { usageAt } from "./agent-usage.ts";

/** The permission that an agent's own operation needs; "any" needs none. */
export type AgentAccess = AgentPermission | "any";

/** The agent whose access token this is; tokens are kept as their SHA-256 alone. */
export const agentOfToken = (view: View, token: string): AgentRecord | undefined => {
  const id = agentIdIn(view, digestHex(token));
  return id === undefined ? undefined : view.get("Agent", id);
};

/** Id of the agent whose access token has a digest. */
export const agentIdIn = (view: View, tokenDigest: string): string | undefined => {
  const [id] = view.ids("Agent", "byToken", tokenDigest);
  return id;
};

/** The agent that calls; refuses one that was deleted since. */
export const callingAgent = (view: View, agentId: string): AgentRecord =>
  view.get("Agent", agentId) ?? refuse("AGENT_TOKEN_NOT_ACCEPTED");

/** An agent with everything its policy is judged by. */
export const judged = (view: View, agent: AgentRecord, { atMs }: Moment): JudgedAgent => ({
  agent,
  usage: usageAt(agent, atMs),
  rates: unitsPerUsd(view),
});

/** Refuses what the agent's policy denies, as far as it is known of the action. */
export const requirePermitted = (
  view: View,
  { agent, action }: { agent: AgentRecord; action: JudgedAction },
  moment: Moment,
) => {
  const who = judged(view, agent, moment);
  requireNotDenied(who, action, judgeAction(who, action));
};

/**
 * Refuses a paused agent and a missing permission, before the body is checked. A paused agent may
 * read (spec/agents.md#agent-access).
 */
export const requireAgentMay: Reading<
  { agentId: string; access: AgentAccess; initiates: boolean },
  void
> = (view, { agentId, access, initiates }, moment) => {
  const agent = callingAgent(view, agentId);
  if (access === "any") return;
  requirePermitted(view, { agent, action: { needs: [access], initiates } }, moment);
};
