import type { RequestListener, Server } from "node:http";
import { createServer } from "node:net";
import { serve, toNodeHandler } from "srvx/node";
import { optionalPackage } from "../runtime/optional-package.ts";
import { orderConnections } from "./connections.ts";
import { BODY_LIMIT_BYTES } from "./request-body.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

/** The address a simulator listens on. */
export interface ListenOptions {
  /** 0 (the default) takes any free port, `auto` one that the state directory's path decides. */
  port?: number | "auto";
  /** The option `host` by default. Beyond loopback the control surface requires its token. */
  host?: string;
  /** Extras of the package listhen, which must be installed beside this one. */
  conveniences?: Conveniences;
}

/** Extras of listhen: the browser, a certificate, a QR code, an address on the internet. */
export interface Conveniences {
  open: boolean;
  https: boolean;
  qr: boolean;
  tunnel: boolean;
}

/** A listening server; `url` is its address from this machine. */
export interface Listener {
  url: string;
  close(): Promise<void>;
}

interface Address {
  port: number;
  host: string;
}

const originOf = (scheme: string, { port, host }: Address) => {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `${scheme}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
};

/** Serves over plain HTTP. Rejects with the system's error when the port is not available. */
export const listenPlainly = async (fetch: Fetch, { port, host }: Address): Promise<Listener> => {
  const server = serve({
    fetch,
    port,
    hostname: host,
    silent: true,
    manual: true,
    gracefulShutdown: false,
    maxRequestBodySize: BODY_LIMIT_BYTES + 1,
  });
  const node = server.node?.server;
  if (!node) throw new Error("Expected a Node.js server");
  orderConnections(node as Server);
  await new Promise<void>((resolve, reject) => {
    node.once("error", reject);
    Promise.resolve(server.serve())
      .then(() => server.ready())
      .then(() => resolve(), reject);
  });
  const address = node.address();
  const taken = typeof address === "object" && address ? address.port : port;
  return {
    url: originOf("http", { port: taken, host }),
    close: async () => {
      await server.close(true);
    },
  };
};

/** Finds an available port: the wanted one, or any for 0. Rejects with the system's error. */
export const availablePort = (wanted: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(wanted, host, () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });

/**
 * Loads the package that serves the extras.
 * @param spelled turns the name of the first extra that is wanted into the words of the error
 * @throws MissingPackage
 */
export const listhenFor = (
  conveniences: Conveniences,
  spelled: (extra: string) => string = (extra) => `listen with ${extra}`,
) => {
  const [wanted = "conveniences"] = Object.entries(conveniences).find(([, isOn]) => isOn) ?? [];
  return optionalPackage<typeof import("listhen")>("listhen", spelled(wanted));
};

/**
 * Serves through listhen, for its extras. Production mode keeps it from moving to another port when
 * one is taken. That mode also reads port 0 as 3000, so a free port is found here.
 */
export const listenConveniently = async (
  fetch: Fetch,
  { port, host, conveniences }: Address & { conveniences: Conveniences },
): Promise<Listener> => {
  const { listen } = listhenFor(conveniences);
  const { open, https, qr, tunnel } = conveniences;
  const listener = await listen(toNodeHandler(fetch) as RequestListener, {
    port: await availablePort(port, host),
    hostname: host,
    isProd: true,
    autoClose: false,
    showURL: qr || tunnel,
    clipboard: false,
    open,
    https,
    qr,
    tunnel,
  });
  orderConnections(listener.server as Server);
  const address = { port: listener.address.port, host };
  return {
    url: originOf(https ? "https" : "http", address),
    close: () => listener.close(),
  };
};
