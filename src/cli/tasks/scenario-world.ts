import { WORLD_HEADER } from "../../contract/control/world-header.ts";
import type { CreatedWorld } from "../../contract/control/worlds.ts";
import { jsonCall, type Send } from "../../scripts/script-call.ts";
import type { Invocation } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { sendTo } from "./platform-client.ts";
import { brandReached } from "./world-brand.ts";

/** The world that a scenario runs in. */
export interface ScenarioWorld {
  send: Send;
  /** Name of the fork. */
  fork: string;
  /** Removes the fork, unless it is to be kept. */
  end(): Promise<void>;
}

const basic = ({ clientId, clientSecret }: CreatedWorld) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

/**
 * Forks the world of the running simulator, so that a scenario leaves nothing behind. The fork's
 * clock moves only by clock steps.
 */
export const openScenarioWorld = async (
  invocation: Invocation,
  { keep }: { keep: boolean },
): Promise<ScenarioWorld> => {
  const { client } = findInstance(invocation);
  const { world } = client.at;
  const from = world === undefined ? {} : { from: `world:${world}` };
  const fork = await reach(client.post<CreatedWorld>("/worlds", from));
  const platform = {
    client,
    apiUrl: fork.apiUrl,
    authorization: basic(fork),
    worldHeader: { [WORLD_HEADER]: fork.name },
  };
  // A scenario states the words as stored; the world's answers have those of its brand.
  const send = sendTo(platform, await brandReached(client));
  await send(jsonCall("PUT", "/_sim/clock", { mode: "manual" }));
  return {
    send,
    fork: fork.name,
    end: async () => {
      if (!keep) await reach(client.delete(`/worlds/${fork.name}`));
    },
  };
};
