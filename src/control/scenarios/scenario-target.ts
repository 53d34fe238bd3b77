import type { ReceiverAnswer } from "../../contract/control/scenarios.ts";

/** A call of a running simulator, as a scenario makes it. */
export interface ScenarioCall {
  method: string;
  /** Below the API's base; with `/_sim` in front below the control surface's. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
}

type Body = ReturnType<typeof JSON.parse>;

/** An answer; its body is undefined when it is not JSON. */
export interface ScenarioAnswer {
  status: number;
  body: Body;
}

/** The world that a scenario runs in, reached over both surfaces. */
export interface ScenarioTarget {
  /** Makes a call, signed in unless it brings credentials; `lost` when no answer came. */
  call(call: ScenarioCall): Promise<ScenarioAnswer | "lost">;
  /** Starts a receiver that the simulator reaches; gives its URL. */
  receive(answers: readonly ReceiverAnswer[]): Promise<string>;
}

/** A call of the control surface with a JSON body. */
export const controlCall = (method: string, path: string, body?: object): ScenarioCall => ({
  method,
  path: `/_sim${path}`,
  headers: body ? { "content-type": "application/json" } : {},
  body: body && Buffer.from(JSON.stringify(body)),
});
