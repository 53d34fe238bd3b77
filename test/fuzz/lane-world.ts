import { controlCall, tokenHeader } from "./control-call.ts";
import type { FuzzedWorld } from "./fuzzed-world.ts";
import { type Try, wholeTry } from "./hostile-requests.ts";
import type { RequestSource } from "./requests.ts";

/** Every third lane's world has credentials of its own, and is not called by sandbox's. */
const OWNERS = 3;

/** The world that a lane forks for itself. Its name decides its ids, so it can be made again. */
export class LaneWorld {
  readonly name: string;
  private readonly target: FuzzedWorld;
  private readonly own: { clientId: string; clientSecret: string } | undefined;

  constructor(target: FuzzedWorld, lane: number) {
    this.target = target;
    this.name = `lane-${lane}`;
    if (lane % OWNERS === OWNERS - 1)
      this.own = { clientId: `client-${lane}`, clientSecret: `secret-${lane}` };
  }

  /** Credentials and name, as requests of the lane are made from them. */
  get source(): Omit<RequestSource, "chance" | "ids"> {
    const { clientId, clientSecret, controlToken } = this.target;
    return {
      world: this.name,
      clientId,
      clientSecret,
      ...this.own,
      ownsCredentials: this.own !== undefined,
      ...(controlToken !== undefined && { controlToken }),
    };
  }

  get creation(): object {
    return { name: this.name, ...this.own };
  }

  /** Makes the world; without an answer the calls of the lane are findings. */
  async make() {
    await this.direct("/worlds", "POST", this.creation);
  }

  async remove() {
    await this.direct(`/worlds/${this.name}`, "DELETE");
  }

  /** A call of the control surface as bytes, such as one that undoes another one. */
  controlTry(method: string, path: string, body: unknown): Try {
    const { authorization } = { authorization: undefined, ...tokenHeader(this.target) };
    return wholeTry(
      "",
      {
        method,
        path,
        query: [],
        headers: [
          `x-sim-world: ${this.name}`,
          ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
          "content-type: application/json",
        ],
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      },
      "/_sim",
    );
  }

  private async direct(path: string, method: string, body?: object) {
    const answer = await controlCall(this.target, path, { method, ...(body && { body }) }).catch(
      () => undefined,
    );
    await answer?.text().catch(() => undefined);
  }
}
