import type { Server } from "node:http";
import { createServer } from "node:net";
import { listeningAddress } from "../../machine/loopback-lookup.ts";
import { optionalPackage } from "../../machine/optional-package.ts";
import { orderConnections } from "./connections.ts";
import { keepAllHeaders, withAllHeaders } from "./http-server.ts";
import { type Answer, nodeServer, requestListener } from "./node-server.ts";

/** The address a simulator listens on. */
export interface ListenOptions {
  /** 0 (the default) takes any free port, `auto` one that the state directory's path decides. */
  port?: number | "auto";
  /** The option `host` by default. Beyond loopback the control surface requires its token. */
  host?: string;
  /** Shares the port with the other workers of `node:cluster`. */
  isShared?: boolean;
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

/** An address that workers of one process may share. */
interface SharedAddress extends Address {
  isShared?: boolean | undefined;
}

const originOf = (scheme: string, { port, host }: Address) => {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `${scheme}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
};

/** Serves over plain HTTP. Rejects with the system's error when the port is not available. */
export const listenPlainly = async (
  answer: Answer,
  { port, host, isShared = false }: SharedAddress,
): Promise<Listener> => {
  const server = nodeServer(answer);
  orderConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: listeningAddress(host), exclusive: !isShared }, resolve);
  });
  const address = server.address();
  const boundPort = typeof address === "object" && address ? address.port : port;
  return {
    url: originOf("http", { port: boundPort, host }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Finds an available port: the wanted one, or any for 0. Rejects with the system's error. */
export const availablePort = (wanted: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(wanted, listeningAddress(host), () => {
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
  answer: Answer,
  { port, host, conveniences }: Address & { conveniences: Conveniences },
): Promise<Listener> => {
  const { listen } = listhenFor(conveniences);
  const { open, https, qr, tunnel } = conveniences;
  const listener = await listen(withAllHeaders(requestListener(answer)), {
    port: await availablePort(port, host),
    hostname: listeningAddress(host),
    isProd: true,
    autoClose: false,
    showURL: qr || tunnel,
    clipboard: false,
    open,
    https,
    qr,
    tunnel,
  });
  orderConnections(keepAllHeaders(listener.server as Server));
  const address = { port: listener.address.port, host };
  return {
    url: originOf(https ? "https" : "http", address),
    close: () => listener.close(),
  };
};
