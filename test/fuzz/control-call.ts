/** A simulator whose control surface a campaign calls for itself. */
export interface ControlTarget {
  port: number;
  /** Asked for where the simulator counts as reached from beyond loopback. */
  controlToken?: string;
}

const DEADLINE_MS = 20_000;

/** The header with the control token, where there is one. */
export const tokenHeader = ({ controlToken }: Pick<ControlTarget, "controlToken">) =>
  controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` };

/** Calls the control surface outside of a campaign. */
export const controlCall = (
  target: ControlTarget,
  path: string,
  { method = "GET", body }: { method?: string; body?: object } = {},
): Promise<Response> =>
  fetch(`http://127.0.0.1:${target.port}/_sim${path}`, {
    method,
    headers: { "content-type": "application/json", ...tokenHeader(target) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
