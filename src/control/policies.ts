import * as z from "zod";
import { AGENT_ACTION_TYPES, PolicyExplanation } from "../contract/agents/agent-actions.ts";
import { enumOf, named } from "../contract/core/named-shape.ts";
import { AmountInput } from "../contract/core/scalars.ts";
import { evaluateAction, type Hypothesis } from "../domain/agents/policy-evaluation.ts";
import type { Kind } from "../domain/records/records.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { findId } from "./core/find-id.ts";
import type { World } from "./core/world.ts";

const Party = named("AccountReference", () => z.object({ accountId: z.string() }));

/** An action that an agent might ask for; short ids are enough. */
const HypothesisInput = z.lazy(() =>
  z.object({
    type: enumOf("AgentActionType", AGENT_ACTION_TYPES).optional(),
    quoteId: z.string().optional(),
    amount: AmountInput.optional(),
    currency: z.string().optional(),
    source: Party.optional(),
    destination: Party.optional(),
  }),
);

const ACCOUNTS: readonly Kind[] = ["InternalAccount", "ExternalAccount"];

/** Tests for a payee by UMA address, which names no account. */
const isUmaAddress = (text: string) => text.startsWith("$");

/** The same with whole ids in it. */
const withWholeIds = (
  { engine: { state } }: World,
  { quoteId, source, destination, ...rest }: Hypothesis,
): Hypothesis => {
  const account = (party: { accountId: string } | undefined) =>
    party && !isUmaAddress(party.accountId)
      ? { accountId: findId(state, party.accountId, ACCOUNTS) }
      : undefined;
  return {
    ...rest,
    quoteId: quoteId === undefined ? undefined : findId(state, quoteId, ["Quote"]),
    source: account(source),
    destination: account(destination),
  };
};

/** Trying an agent's policy without acting. */
export const policyEndpoints = [
  endpoint({
    operationId: "evaluatePolicy",
    summary:
      "Show how an agent's policy would decide on an action, without doing it; short ids are enough",
    method: "POST",
    path: "/agents/{agentId}/evaluate",
    body: HypothesisInput,
    replies: [200, PolicyExplanation],
    refuses: [
      "ID_NOT_FOUND",
      "ID_AMBIGUOUS",
      "ACCOUNT_NOT_FOUND",
      "QUOTE_NOT_FOUND",
      "INVALID_CURRENCY",
      "INVALID_AMOUNT",
    ],
    handle: ({ params, body }, call, world) =>
      call.read((view, _input, moment) => {
        const agentId = findId(world.engine.state, params.agentId, ["Agent"]);
        return evaluateAction(
          view,
          { params: { agentId }, body: withWholeIds(world, body) },
          moment,
        );
      }, undefined),
  }),
];
