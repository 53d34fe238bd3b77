import { fetchDirectly, hasProxies } from "../client/direct-fetch.ts";
import { SocketSender } from "../client/socket-sender.ts";
import type { SimulatorStatus } from "../contract/control/status.ts";
import { showOnly } from "../simulator-summary.ts";
import { SimulatorClosed } from "./api-error.ts";
import { atCaller, tellAtCaller } from "./at-caller.ts";
import type { Revision } from "./contract-types.ts";
import { type ConnectOptions, type Environment, placeOf } from "./environment.ts";
import { forkOf } from "./forked-world.ts";
import { requireArguments } from "./member-arguments.ts";
import { ReachedWorld, type WorldAccess } from "./reached-world.ts";
import type { ForkOptions, Simulator } from "./simulator.ts";
import { WorldCalls } from "./world-calls.ts";

/** The same request with other headers. It takes the body itself: `new Request(request)` pipes it. */
const withHeaders = ({ url, method, body, signal }: Request, headers: Headers) =>
  new Request(url, { method, headers, signal, ...(body && { body, duplex: "half" as const }) });

/** A world of a simulator that listens. */
class ConnectedWorld extends WorldCalls implements Simulator {
  // Printed before its fields, in logs and in failed assertions.
  static override readonly name: string = "Simulator";
  readonly world: string;
  readonly revision: Revision;
  readonly webhookPublicKey: string;
  protected readonly reached: ReachedWorld;
  protected readonly origin: string;
  private readonly sender: SocketSender;
  private isClosed = false;

  constructor(
    sender: SocketSender,
    access: WorldAccess,
    identity: Pick<ConnectedWorld, "world" | "revision" | "webhookPublicKey">,
  ) {
    super();
    this.sender = sender;
    this.origin = sender.origin;
    this.world = identity.world;
    this.revision = identity.revision;
    this.webhookPublicKey = identity.webhookPublicKey;
    this.reached = new ReachedWorld(async (sent) => {
      this.requireOpen();
      return sender.send(sent);
    }, access);
    showOnly(this, () => ({ address: this.origin, world: identity.world }));
  }

  async fetch(request: Request) {
    requireArguments("fetch", [request]);
    this.requireOpen();
    return fetchDirectly(request, hasProxies());
  }

  async fork(name?: string, options?: ForkOptions): Promise<Simulator> {
    const { reached, origin, revision, webhookPublicKey } = this;
    // A fork outlives this connection: it has to be removed all the same.
    const { send } = this.sender;
    const sendOn = (request: Request, headers?: Headers) =>
      fetchDirectly(headers ? withHeaders(request, headers) : request, hasProxies());
    return forkOf(
      { reached, origin, revision, webhookPublicKey, send, fetch: sendOn },
      name,
      options,
    );
  }

  protected async end() {
    this.isClosed = true;
    this.sender.close();
  }

  private requireOpen() {
    if (this.isClosed) throw new SimulatorClosed();
  }
}

tellAtCaller(ConnectedWorld);

/**
 * Connects to a simulator that listens.
 * @param url its origin; by default that of the environment, which `exec` and `env` set
 * @throws NoAnswer when nothing listens there, ApiError when it has no such world
 */
export const connect = atCaller(
  async (url?: string | undefined, options: ConnectOptions = {}): Promise<Simulator> => {
    requireArguments("connect", [url, options]);
    return connectIn(process.env, url, options);
  },
);

/** Connects with the variables of an environment. */
export const connectIn = async (
  environment: Environment,
  url: string | undefined,
  options: ConnectOptions,
): Promise<Simulator> => {
  const { origin, ...access } = placeOf(environment, url, options);
  const sender = new SocketSender(origin);
  try {
    const reached = new ReachedWorld(sender.send, { ...access, clientId: "" });
    const [status, webhookPublicKey] = await Promise.all([
      reached.control<SimulatorStatus>("GET", "/status"),
      reached.control<string>("GET", "/webhooks/key"),
    ]);
    const clientId = access.clientId ?? status.settings.clientId;
    const revision = status.settings.revision as Revision;
    const identity = { world: status.world, revision, webhookPublicKey };
    return new ConnectedWorld(sender, { ...access, clientId }, identity);
  } catch (error) {
    sender.close();
    throw error;
  }
};
