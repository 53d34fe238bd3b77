import type { Send } from "../client/send.ts";
import { NoAnswer } from "../client/send.ts";
import { showOnly } from "../simulator-summary.ts";
import { ApiError, SimulatorClosed } from "./api-error.ts";
import { tellAtCaller } from "./at-caller.ts";
import type { Revision } from "./contract-types.ts";
import { requireArguments } from "./member-arguments.ts";
import { ReachedWorld } from "./reached-world.ts";
import type { ForkOptions, Simulator } from "./simulator.ts";
import { WorldCalls } from "./world-calls.ts";

/** Parts that a fork takes over from the world that it is made of. */
export interface ForkOrigin {
  reached: ReachedWorld;
  origin: string;
  revision: Revision;
  webhookPublicKey: string;
  /** Sends to the process, also when the world that is forked is closed. */
  send?: Send;
  /** Sends a request, with other headers in place of its own. */
  fetch(request: Request, headers?: Headers): Promise<Response>;
}

/** Reply of POST /_sim/worlds. */
interface MadeWorld {
  name: string;
  clientId: string;
  clientSecret: string;
  /** Left out by simulators of earlier versions. */
  newestWebhook?: string | null;
}

/** Refuses nothing: the world is gone, or the whole simulator is. */
const passOverGone = (error: unknown) => {
  if (error instanceof NoAnswer || error instanceof SimulatorClosed) return;
  if (error instanceof ApiError && error.status === 404) return;
  throw error;
};

/** A world that a test made: closing it removes it, and nothing else. */
class ForkedWorld extends WorldCalls implements Simulator {
  // Printed before its fields, in logs and in failed assertions.
  static override readonly name: string = "Simulator";
  readonly world: string;
  readonly revision: Revision;
  readonly webhookPublicKey: string;
  protected readonly reached: ReachedWorld;
  protected readonly origin: string;
  private readonly from: ForkOrigin;
  private readonly send: Send;
  private isGone = false;

  constructor(from: ForkOrigin, { name, clientId, clientSecret }: MadeWorld) {
    super();
    const { controlToken } = from.reached.access;
    this.from = from;
    this.send = from.send ?? from.reached.send;
    this.world = name;
    this.revision = from.revision;
    this.origin = from.origin;
    this.webhookPublicKey = from.webhookPublicKey;
    const access = { world: name, clientId, clientSecret, controlToken };
    this.reached = new ReachedWorld(async (sent) => this.whileThere(() => this.send(sent)), access);
    showOnly(this, () => ({ address: this.origin, world: name }));
  }

  /** Makes calls of the control surface about this world too: their user does not name it. */
  async fetch(request: Request) {
    requireArguments("fetch", [request]);
    const headers = new Headers(request.headers);
    if (!headers.has("x-sim-world")) headers.set("x-sim-world", this.world);
    return this.whileThere(() => this.from.fetch(request, headers));
  }

  async fork(name?: string, options?: ForkOptions): Promise<Simulator> {
    const { reached, from, send } = this;
    const fetch: ForkOrigin["fetch"] = (request, headers) => from.fetch(request, headers);
    return forkOf({ ...from, reached, send, fetch }, name, options);
  }

  /** Ends it here: the simulator has removed it already. */
  giveWay() {
    this.isGone = true;
    return this.close();
  }

  /** Leaves out the webhooks that it inherited, up to the newest. */
  async begin(newestWebhook: string | null | undefined) {
    if (newestWebhook === undefined) await this.passOverEarlier();
    else this.cursor = { after: newestWebhook ?? undefined };
    return this;
  }

  protected async end() {
    if (this.isGone) return;
    this.isGone = true;
    const all = new ReachedWorld(this.send, this.reached.access);
    await all.control("DELETE", `/worlds/${this.world}`).catch(passOverGone);
  }

  /** Otherwise a late call would open a new world of its name. */
  private whileThere<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isGone) throw new SimulatorClosed(this.world);
    return work();
  }
}

tellAtCaller(ForkedWorld);

/** Makes a world of another one. */
export const forkOf = async (
  from: ForkOrigin,
  name?: string,
  { inPlaceOf }: ForkOptions = {},
): Promise<Simulator> => {
  requireArguments("fork", [name, inPlaceOf && { inPlaceOf }]);
  const { world } = from.reached.access;
  if (inPlaceOf !== undefined && !(inPlaceOf instanceof ForkedWorld))
    throw new TypeError("Expected a fork in inPlaceOf but found the default world");
  const body = {
    withNewestWebhook: true,
    ...(name !== undefined && { name }),
    ...(world !== undefined && { from: `world:${world}` }),
    ...(inPlaceOf !== undefined && { inPlaceOf: inPlaceOf.world }),
  };
  const made = await from.reached.control<MadeWorld>("POST", "/worlds", body);
  await inPlaceOf?.giveWay();
  return new ForkedWorld(from, made).begin(made.newestWebhook);
};
