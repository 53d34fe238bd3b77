import { type IncomingHttpHeaders, request } from "node:http";
import { WORLD_HEADER } from "../../contract/control/world-header.ts";
import { API_VERSION } from "../../contract/core/api-version.ts";
import type { Brand } from "../../contract/core/brand-words.ts";
import { isLoopbackName } from "../../contract/core/loopback.ts";
import { lookupFor } from "../../machine/loopback-lookup.ts";
import { controlPath, type Send } from "../../scripts/script-call.ts";
import { CommandError, EXIT, type Invocation } from "../frame/command.ts";
import { findInstance, noneRunning, reach, type SimulatorConnection } from "../frame/reach.ts";

/** The platform of a running simulator, with credentials for it. */
export interface Platform extends Pick<SimulatorConnection, "client"> {
  /** Base URL with the version. */
  apiUrl: string;
  authorization: string;
  /** Header that names another world than the default one. */
  worldHeader?: Readonly<Record<string, string>>;
}

const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

/** Credentials of the instance file; `env` and `exec` hand on the same in the environment. */
const credentialsOf = async ({ instance, client }: SimulatorConnection) => {
  const { SERVICE_SIM_CLIENT_ID, SERVICE_SIM_CLIENT_SECRET } = process.env;
  if (instance) return basic(instance.clientId, instance.clientSecret);
  if (SERVICE_SIM_CLIENT_ID !== undefined && SERVICE_SIM_CLIENT_SECRET !== undefined)
    return basic(SERVICE_SIM_CLIENT_ID, SERVICE_SIM_CLIENT_SECRET);
  await reach(client.get("/live"));
  throw new CommandError(
    { code: "NO_CREDENTIALS", exitCode: EXIT.notDone },
    `neither this folder nor the environment has credentials for ${client.url}; ` +
      "the simulator never sends them over HTTP",
    ["run it in the folder of service-sim start"],
  );
};

/**
 * Finds the platform of the running simulator.
 * @param headers of the call: one that signs in needs no stored credentials
 */
export const findPlatform = async (
  invocation: Invocation,
  headers: Readonly<Record<string, string>> = {},
): Promise<Platform> => {
  const reached = findInstance(invocation);
  const { client, instance } = reached;
  return {
    client,
    apiUrl: instance?.apiUrl ?? `${client.url}/${API_VERSION}`,
    authorization: headers.authorization ?? (await credentialsOf(reached)),
    ...(client.at.world !== undefined && { worldHeader: { [WORLD_HEADER]: client.at.world } }),
  };
};

/** A call of the platform as it goes out. */
export interface Outgoing {
  method: string;
  /** Below the version. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
}

/** An answer of the platform, its body as it came. */
export interface RawAnswer {
  status: number;
  httpVersion: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  body: Buffer;
}

const starterFor = ({ protocol, hostname }: URL) => {
  if (protocol !== "https:") return request;
  const { request: secure } = process.getBuiltinModule("node:https");
  // `start --https` makes its own certificate, which only loopback may be trusted with.
  const rejectUnauthorized = !isLoopbackName(hostname);
  return ((url: URL, options: object) =>
    secure(url, { ...options, rejectUnauthorized })) as typeof request;
};

/** Ends of a connection that a server had accepted. */
const CLOSED: readonly string[] = ["ECONNRESET", "EPIPE"];

/** The failure of a call whose answer never came: it may have been done. */
const lostAnswer = (where: string) =>
  new CommandError(
    { code: "NO_ANSWER", exitCode: EXIT.notReachable },
    `the connection was closed before an answer came (${where})`,
    ["service-sim requests    shows whether the call arrived"],
  );

/** Calls the platform; the command ends with exit code 3 when nothing answers. */
export const callPlatform = async (platform: Platform, outgoing: Outgoing): Promise<RawAnswer> => {
  const { method, path, headers = {}, body } = outgoing;
  const url = new URL(`${platform.apiUrl}${path}`);
  const start = starterFor(url);
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const where = `${url.origin}: ${error.message}`;
      reject(CLOSED.includes(error.code ?? "") ? lostAnswer(where) : noneRunning(where));
    };
    const sent = start(url, {
      method,
      agent: false,
      ...lookupFor(url.hostname),
      headers: {
        accept: "application/json",
        authorization: platform.authorization,
        ...platform.worldHeader,
        ...(body && { "content-length": body.length }),
        ...headers,
      },
    });
    sent.on("error", fail);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          httpVersion: response.httpVersion,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.end(body);
  });
};

/** The JSON of an answer; undefined for no body, or another media type. */
export const jsonOfAnswer = ({ headers, body }: RawAnswer): unknown => {
  const isJson = /^application\/(\w+\+)?json/.test(headers["content-type"] ?? "");
  if (!isJson || body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
};

/**
 * Makes calls of both surfaces of a world; a lost answer is an outcome, not an error.
 * @param brand words of the world's answers, which become our own
 */
export const sendTo = (platform: Platform, brand?: Brand): Send => {
  const { url, token } = platform.client.at;
  const control: Platform = {
    ...platform,
    apiUrl: `${url.replace(/\/$/, "")}/_sim`,
    authorization: token === undefined ? "" : `Bearer ${token}`,
  };
  return async (call) => {
    const below = controlPath(call);
    const [surface, path] = below === undefined ? [platform, call.path] : [control, below];
    try {
      const answered = await callPlatform(surface, { ...call, path });
      const answer = jsonOfAnswer(answered);
      return { status: answered.status, body: brand?.inwardValue(answer) ?? answer };
    } catch (error) {
      if (error instanceof CommandError && error.code === "NO_ANSWER") return "lost";
      throw error;
    }
  };
};
