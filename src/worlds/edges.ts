import type { HttpRequest } from "../http/http-request.ts";
import type { Answer } from "../http/node-server.ts";
import type { WholeReply } from "../http/reply.ts";
import type { Soon } from "../http/soon.ts";
import type { Engine } from "../runtime/engine.ts";
import { type IdTokenKeys, machineWall, type Wall } from "../runtime/ports.ts";
import { attemptDelivery } from "../webhooks/attempt.ts";

/** All that reaches a simulator from outside, and differs from run to run (spec/capsules.md#lines). */
export interface Edges {
  wall: Wall;
  /** Sends a webhook once. */
  send: typeof attemptDelivery;
  /** Finds the keys of token issuers. */
  keysFrom(own: IdTokenKeys): IdTokenKeys;
  /** Takes every request on its way in, and its reply on its way out. */
  serve(request: HttpRequest, answer: Answer): Soon<WholeReply>;
  /** Has time moved by a call of the library. */
  advancing<Report>(span: string, advance: () => Promise<Report>): Promise<Report>;
  /** Watches a world that was made. */
  watch(world: { name: string; engine: Engine }): void;
  /** Takes the address that the simulator listens on. */
  listening(origin: string): void;
  /** The address that links and tokens name; its own when there is none. */
  origin(): string | undefined;
}

/** The machine itself: nothing is written down, and nothing comes from a file. */
export const MACHINE: Edges = {
  wall: machineWall,
  send: attemptDelivery,
  keysFrom: (own) => own,
  serve: (request, answer) => answer(request),
  advancing: (_span, advance) => advance(),
  watch: () => {},
  listening: () => {},
  origin: () => undefined,
};

const EDGES = Symbol("edges");

/** The options of a start with edges of its own, which no option of a user can name. */
export const withEdges = <Options extends object>(options: Options, edges: Edges): Options =>
  Object.assign({ ...options }, { [EDGES]: edges });

export const edgesOf = (options: object): Edges =>
  (options as { [EDGES]?: Edges })[EDGES] ?? MACHINE;
