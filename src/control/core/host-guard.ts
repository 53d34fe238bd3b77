import { timingSafeEqual } from "node:crypto";
import { isLoopbackName } from "../../contract/core/loopback.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { HttpRequest } from "../../http/message/http-request.ts";

/** Rules for access to the control surface. */
export interface GuardOptions {
  /** Needed on every call when the server listens beyond loopback. */
  controlToken: string;
  isLoopback(): boolean;
  /** Host names answered for beside those of loopback. */
  allowHosts: readonly string[];
}

const hostOf = (request: HttpRequest) => request.headers.get("host") ?? new URL(request.url).host;

const hostnameOf = (host: string) => host.replace(/:\d+$/, "");

const requireToken = (request: HttpRequest, token: string) => {
  const sentHeader = Buffer.from(request.headers.get("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  if (sentHeader.length !== wanted.length || !timingSafeEqual(sentHeader, wanted))
    refuse("CONTROL_TOKEN_NEEDED");
};

/** Names that a hint may repeat: others could not be typed as an option. */
const HOST_NAME = /^[a-z0-9._-]{1,253}$/;

const nextForHost = (name: string) =>
  `Call it as 127.0.0.1 or localhost, or start it with --allow-host ${name}`;

/** The only relations to a page from which a browser's call is no foreign page's doing. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Refuses what a browser says a foreign page asks for. A page's GET for an image or a script has
 * no `Origin`, but a browser that knows Fetch Metadata sends `Sec-Fetch-Site` with it.
 */
const refuseForeignSite = (request: HttpRequest) => {
  const site = request.headers.get("sec-fetch-site");
  if (site === null || OWN_SITES.has(site)) return;
  refuse("ORIGIN_NOT_ALLOWED", { origin: "another site" });
};

const refuseForeignOrigin = (request: HttpRequest, host: string) => {
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`)
    refuse("ORIGIN_NOT_ALLOWED", { origin });
};

const refuseForeignHost = (host: string, allowHosts: readonly string[]) => {
  const hostname = hostnameOf(host).toLowerCase();
  const isAllowed = allowHosts.some((name) => name.toLowerCase() === hostname);
  if (isLoopbackName(hostname) || isAllowed) return;
  const name = HOST_NAME.test(hostname) ? hostname : "<name>";
  refuse("HOST_NOT_ALLOWED", { host }, { next: nextForHost(name) });
};

/**
 * Keeps web pages away from the control surface: a page can make a browser call loopback, and by
 * rebinding a name even read the answer, but it cannot choose `Host` or hide `Origin`.
 */
export const guardControl = (
  request: HttpRequest,
  { controlToken, isLoopback, allowHosts }: GuardOptions,
) => {
  const host = hostOf(request);
  refuseForeignOrigin(request, host);
  refuseForeignSite(request);
  if (!isLoopback()) return requireToken(request, controlToken);
  refuseForeignHost(host, allowHosts);
};

/** Keeps web pages away from another server on loopback in the same way. */
export const guardLoopback = (request: HttpRequest, allowHosts: readonly string[]) => {
  const host = hostOf(request);
  refuseForeignOrigin(request, host);
  refuseForeignSite(request);
  refuseForeignHost(host, allowHosts);
};
