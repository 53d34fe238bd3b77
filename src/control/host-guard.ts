import { timingSafeEqual } from "node:crypto";
import { refuse } from "../domain/refusal.ts";
import { isLoopbackName } from "../http/loopback.ts";

/** Who may reach the control surface. */
export interface GuardOptions {
  /** Needed on every call when the server listens beyond loopback. */
  controlToken: string;
  isLoopback(): boolean;
  /** Host names answered for beside those of loopback. */
  allowHosts: readonly string[];
}

const hostOf = (request: Request) => request.headers.get("host") ?? new URL(request.url).host;

const hostnameOf = (host: string) => host.replace(/:\d+$/, "");

const requireToken = (request: Request, token: string) => {
  const given = Buffer.from(request.headers.get("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    refuse("CONTROL_TOKEN_NEEDED");
};

/**
 * Keeps web pages away from the control surface: a page can make a browser call loopback, and by
 * rebinding a name even read the answer, but it cannot choose `Host` or hide `Origin`.
 */
export const guardControl = (
  request: Request,
  { controlToken, isLoopback, allowHosts }: GuardOptions,
) => {
  const host = hostOf(request);
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`)
    refuse("ORIGIN_NOT_ALLOWED", { origin });
  if (!isLoopback()) return requireToken(request, controlToken);
  const hostname = hostnameOf(host);
  if (!isLoopbackName(hostname) && !allowHosts.includes(hostname))
    refuse("HOST_NOT_ALLOWED", { host });
};
