import type { HttpRequest } from "../http/message/http-request.ts";
import type { MaybePromise } from "../http/message/maybe-promise.ts";
import type { WholeReply } from "../http/message/reply.ts";
import type { Answer } from "../http/sockets/node-server.ts";
import type { Engine } from "../runtime/engine.ts";
import { type AttemptAnswer, type IdTokenKeys, machineWall, type Wall } from "../runtime/ports.ts";
import type { OpenWorld } from "../storage/open-world.ts";
import { attemptDelivery } from "../webhooks/attempt.ts";

/**
 * All that reaches a simulator from outside, and differs from run to run (spec/capsules.md#lines).
 */
export interface Boundary {
  wall: Wall;
  /** Sends a webhook of a world once. */
  send(
    attempt: Parameters<typeof attemptDelivery>[0],
    from?: object,
  ): ReturnType<typeof attemptDelivery>;
  /** Finds the keys of token issuers. */
  keysFrom(own: IdTokenKeys): IdTokenKeys;
  /** Takes every request on its way in, and its reply on its way out. */
  serve(request: HttpRequest, answer: Answer): MaybePromise<WholeReply>;
  /** Has time moved by a call of the library. */
  advancing<Report>(span: string, advance: () => Promise<Report>): Promise<Report>;
  /** Watches a world that was made, of another one unless it is the default one. */
  watch(world: { name: string; engine: Engine }, origin?: object): void;
  /** Takes the address that the simulator listens on. */
  listening(origin: string): void;
  /** The address that links and tokens name; its own when there is none. */
  origin(): string | undefined;
  /** Takes the answer to an attempt that began before these boundary did. */
  answered(body: Buffer, answer: AttemptAnswer): void;
  /** A value that no seed foretells. */
  drawn(what: DrawnKind, draw: () => string, world?: object): string;
  /** Takes the default world as it was opened, before anything acts on it. */
  found(world: OpenWorld): void;
  /** Set where all of it comes from a capsule: nothing is recorded once more. */
  readonly isReplay?: true;
  /** Takes the worlds of the process (`WorldsOfProcess`) once the default one is there. */
  joined(worlds: object): void;
  /** The simulator is about to end. */
  closing(): void;
}

/** Kinds of values that are drawn beyond the seed. */
export type DrawnKind = "codes" | "webhook key";

/** The machine itself: nothing is written down, and nothing comes from a file. */
export const MACHINE: Boundary = {
  wall: machineWall,
  send: attemptDelivery,
  keysFrom: (own) => own,
  serve: (request, answer) => answer(request),
  advancing: (_span, advance) => advance(),
  watch: () => {},
  listening: () => {},
  origin: () => undefined,
  answered: () => {},
  drawn: (_what, draw) => draw(),
  found: () => {},
  joined: () => {},
  closing: () => {},
};

const BOUNDARY = Symbol("boundary");

/** The options of a start with boundary of its own, which no option of a user can name. */
export const withBoundary = <Options extends object>(
  options: Options,
  boundary: Boundary,
): Options => Object.assign({ ...options }, { [BOUNDARY]: boundary });

/** The boundary that a start was given. */
export const boundaryOf = (options: object): Boundary | undefined =>
  (options as { [BOUNDARY]?: Boundary })[BOUNDARY];
