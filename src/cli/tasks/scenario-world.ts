import type { ControlClient } from "../../client/control-client.ts";
import type { ReceiverAnswer } from "../../contract/control/scenarios.ts";
import { WORLD_HEADER } from "../../contract/control/world-header.ts";
import type { CreatedWorld } from "../../contract/control/worlds.ts";
import type { Brand } from "../../contract/core/brand-words.ts";
import {
  controlCall,
  type ScenarioCall,
  type ScenarioTarget,
} from "../../control/scenarios/scenario-target.ts";
import { CommandError, type Invocation } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { callPlatform, jsonOfAnswer, type Platform } from "./platform-client.ts";
import { ScenarioReceiver } from "./scenario-receiver.ts";
import { brandReached } from "./world-brand.ts";

/** The world that a scenario runs in. */
export interface ScenarioWorld {
  target: ScenarioTarget;
  /** Name of the fork. */
  fork: string;
  /** Removes the fork, unless it is to be kept. */
  end(): Promise<void>;
}

const basic = ({ clientId, clientSecret }: CreatedWorld) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

const CONTROL = "/_sim";

/** Calls both surfaces of one world; a lost answer is an outcome, not an error. */
class ReachedWorld implements ScenarioTarget {
  private readonly platform: Platform;
  private readonly control: Platform;
  private readonly world: Readonly<Record<string, string>>;
  private readonly receivers: ScenarioReceiver[] = [];
  /** A scenario states the words as stored; the world's answers have those of its brand. */
  private readonly brand: Brand | undefined;

  constructor(client: ControlClient, fork: CreatedWorld, brand: Brand | undefined) {
    const { url, token } = client.at;
    this.brand = brand;
    this.platform = { client, apiUrl: fork.apiUrl, authorization: basic(fork) };
    this.control = {
      client,
      apiUrl: `${url.replace(/\/$/, "")}${CONTROL}`,
      authorization: token === undefined ? "" : `Bearer ${token}`,
    };
    this.world = { [WORLD_HEADER]: fork.name };
  }

  async receive(answers: readonly ReceiverAnswer[]) {
    const receiver = new ScenarioReceiver(answers);
    this.receivers.push(receiver);
    return receiver.start();
  }

  /** Ends its receivers. */
  stop() {
    for (const receiver of this.receivers) receiver.stop();
  }

  async call({ method, path, headers, body }: ScenarioCall) {
    const isControl = path.startsWith(`${CONTROL}/`);
    const platform = isControl ? this.control : this.platform;
    const sent = { ...this.world, ...headers };
    const below = isControl ? path.slice(CONTROL.length) : path;
    try {
      const answered = await callPlatform(platform, { method, path: below, headers: sent, body });
      const answer = jsonOfAnswer(answered);
      return { status: answered.status, body: this.brand?.inwardValue(answer) ?? answer };
    } catch (error) {
      if (error instanceof CommandError && error.code === "NO_ANSWER") return "lost";
      throw error;
    }
  }
}

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
  const target = new ReachedWorld(client, fork, await brandReached(client));
  await target.call(controlCall("PUT", "/clock", { mode: "manual" }));
  return {
    target,
    fork: fork.name,
    end: async () => {
      target.stop();
      if (!keep) await reach(client.delete(`/worlds/${fork.name}`));
    },
  };
};
