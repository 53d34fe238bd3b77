import { readCapsule } from "../../../src/capsules/read-capsule.ts";
import { Replay, type ReplayReport } from "../../../src/replay/replay.ts";
import { createSimulator, type SimulatorOptions } from "../../../src/simulator.ts";
import { Receiver } from "../../setup/receiver.ts";
import { answered, json, type Run } from "./recorded-run.ts";

/** A capsule that is being written while the simulator runs. */
export interface Recording {
  /** Its lines, once it has ended. */
  text: Promise<string>;
  /** Ends it by the control surface. */
  end(): Promise<string>;
}

export interface LiveRun extends Run {
  url: string;
  startRecording(body?: { name?: string; withSecrets?: boolean }): Promise<Recording>;
}

/** Serves a simulator of its own and a receiver while something is done with them. */
export const live = async <Done>(
  options: SimulatorOptions,
  work: (run: LiveRun) => Promise<Done>,
): Promise<Done> => {
  const sim = await createSimulator(options);
  const { url } = await sim.listen({ port: 0 });
  const receiver = await new Receiver().start();
  const { pathname } = new URL(sim.apiUrl);
  const call: Run["call"] = async (...[method, path, body, user = sim.clientId]) => {
    const { headers, ...init } = json(body);
    const authorization = `Basic ${btoa(`${user}:${sim.clientSecret}`)}`;
    const asked = { ...init, method, headers: { ...headers, authorization } };
    return answered(await fetch(url + pathname + path, asked));
  };
  const control: Run["control"] = async (method, path, body) =>
    answered(await fetch(`${url}/_sim${path}`, { method, ...json(body) }));
  const startRecording: LiveRun["startRecording"] = async (body = {}) => {
    const response = await fetch(`${url}/_sim/capsule`, { method: "POST", ...json(body) });
    if (response.status !== 200) throw new Error(await response.text());
    const text = response.text();
    const end = async () => {
      await control("DELETE", "/capsule");
      return text;
    };
    return { text, end };
  };
  try {
    return await work({ sim, url, receiver, call, control, startRecording });
  } finally {
    await sim.close();
    await receiver.stop();
  }
};

/** Repeats a capsule in a simulator that is closed then. */
export const replayed = async (text: string, until?: string): Promise<ReplayReport> => {
  const replay = await Replay.open(readCapsule(text, "run.capsule"));
  try {
    return await replay.run(until);
  } finally {
    await replay.sim.close();
  }
};
