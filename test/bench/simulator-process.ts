import type { Child, Place } from "./child.ts";
import { callOverHttp, type PlatformCall } from "./platform-call.ts";
import type { Workplace } from "./workplace.ts";

/** `service-sim start` in a process and a directory of its own. */
export interface SimulatorProcess {
  child: Child;
  /** Its working directory: a client command started there finds it. */
  cwd: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  authorization: string;
  call: PlatformCall;
}

export const basicAuthorization = (ready: { clientId: string; clientSecret: string }) =>
  `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;

interface ReadyLine {
  apiUrl: string;
  clientId: string;
  clientSecret: string;
}

/** Starts a simulator on new state and a free port; resolves with its ready line. */
export const startSimulator = async (
  workplace: Workplace,
  options: readonly string[],
  by: Partial<Place> = {},
): Promise<SimulatorProcess> => {
  const cwd = by.cwd ?? workplace.directory();
  const { serviceSim } = workplace.build;
  const args = [serviceSim, "start", "--port", "0", "--json", ...options];
  const child = workplace.start(args, cwd, by);
  const line = await child.firstLine();
  const ready = JSON.parse(line) as ReadyLine;
  if (!ready.apiUrl) throw new Error(`Expected ${child.name} to be ready but found ${line}`);
  const authorization = basicAuthorization(ready);
  return { ...ready, child, cwd, authorization, call: callOverHttp(ready.apiUrl, authorization) };
};
