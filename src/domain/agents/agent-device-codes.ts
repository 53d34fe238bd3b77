import type {
  AgentDeviceCode,
  DeviceCodeStatus,
  RedeemedDeviceCode,
} from "../../contract/agents/agents.ts";
import { digestHex } from "../../crypto/digest.ts";
import { brandIn } from "../core/brand.ts";
import {
  type Draft,
  find,
  HEX,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { assertInvariant } from "../core/invariant.ts";
import { refuse } from "../core/refusal.ts";
import type { AgentRecord, DeviceCodeRecord } from "../records/agent-records.ts";

/** Letters and digits that are not mistaken for one another (spec/agents.md#device-code). */
const CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUP_LENGTH = 4;
const CODE_PREFIX = "SERVICE-AGENT";
const TOKEN_PREFIX = "agt_";
const TOKEN_LENGTH = 40;

const showDeviceCode = ({ code, agentId, expiresAtMs, redeemed }: DeviceCodeRecord) => ({
  code,
  agentId,
  expiresAt: instant(expiresAtMs),
  redeemed,
});

/**
 * Makes a code for an agent; unredeemed older codes stop working (spec/agents.md#new-device-code).
 */
export const issueDeviceCode = (draft: Draft, agentId: string, moment: Moment): AgentDeviceCode => {
  for (const { id, redeemed } of find(draft, "DeviceCode", ["byAgent", agentId]))
    if (!redeemed) draft.del("DeviceCode", id);
  const drawn = moment.draw("device-code", 2 * GROUP_LENGTH, CODE_ALPHABET);
  const groups = [drawn.slice(0, GROUP_LENGTH), drawn.slice(GROUP_LENGTH)];
  const code: DeviceCodeRecord = {
    id: moment.newId("DeviceCode"),
    code: [CODE_PREFIX, ...groups].join("-"),
    agentId,
    expiresAtMs: moment.atMs + DURATIONS.deviceCodeLifetimeMs,
    redeemed: false,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("DeviceCode", code);
  return showDeviceCode(code);
};

/** Deletes all codes of an agent. */
export const dropDeviceCodes = (draft: Draft, agentId: string) => {
  for (const { id } of find(draft, "DeviceCode", ["byAgent", agentId])) draft.del("DeviceCode", id);
};

interface ByCode {
  params: { code: string };
}

/** A code as it is stored, in whatever letters it was sent. */
export const codeIn = (view: View, text: string) => {
  const code = text.toUpperCase();
  return brandIn(view)?.inward(code) ?? code;
};

/** The code a path names, in capitals or not; 404 when there is none. */
export const deviceCodeByPath: Reading<ByCode, DeviceCodeRecord> = (view, { params }) => {
  const [id] = view.ids("DeviceCode", "byCode", codeIn(view, params.code));
  const code = id === undefined ? undefined : view.get("DeviceCode", id);
  return code ?? refuse("REFERENCE_NOT_FOUND", { id: params.code, resource: "DeviceCode" });
};

/** GET /agents/device-codes/{code}/status, also of an expired code. */
export const deviceCodeStatus: Reading<ByCode, DeviceCodeStatus> = (view, input, moment) => {
  const { code, redeemed } = deviceCodeByPath(view, input, moment);
  return { code, redeemed };
};

const agentOf = (view: View, { agentId }: DeviceCodeRecord): AgentRecord => {
  const agent = view.get("Agent", agentId);
  assertInvariant(agent !== undefined, "the agent of a device code", { agentId });
  return agent;
};

/**
 * POST /agents/device-codes/{code}/redeem: connects the agent and returns its access token, once;
 * the world keeps the token's hash. Refuses a redeemed or expired code (spec/agents.md#redeem).
 */
export const redeemDeviceCode: Rule<ByCode, RedeemedDeviceCode> = (draft, input, moment) => {
  const deviceCode = deviceCodeByPath(draft, input, moment);
  const { code, agentId, expiresAtMs } = deviceCode;
  if (deviceCode.redeemed) refuse("DEVICE_CODE_ALREADY_REDEEMED", { field: "code", code });
  if (moment.atMs >= expiresAtMs)
    refuse("DEVICE_CODE_EXPIRED", {
      field: "code",
      code,
      agentId,
      expiresAt: instant(expiresAtMs),
    });
  const agent = agentOf(draft, deviceCode);
  const accessToken = TOKEN_PREFIX + moment.draw("agent-token", TOKEN_LENGTH, HEX);
  draft.put("DeviceCode", { ...deviceCode, redeemed: true, updatedAtMs: moment.atMs });
  draft.put("Agent", { ...agent, tokenHash: digestHex(accessToken), updatedAtMs: moment.atMs });
  return { agentId, agentName: agent.name, accessToken, policy: agent.policy };
};
