import type { KeyedAnswer, Seen, WorldModel } from "./world-model.ts";

/** JSON as it came: bodies have every shape. */
export type Parsed = ReturnType<typeof JSON.parse>;

/** One request of a client, and the use that the client makes of its answer. */
export interface Call {
  surface: "platform" | "control";
  world: string;
  operation: string;
  method: string;
  path: string;
  body?: unknown;
  key?: string;
  /** The header `Authorization`; that of the world's first token by default. */
  as?: string;
  /** Statuses that the model allows. */
  expects: readonly number[];
  /** No other call is under way beside it. */
  isAlone?: boolean;
  /** Takes over what a success says. */
  done?(model: WorldModel, body: Parsed): void;
  /** Compares the world with a call that was cut off, and takes over what it finds. */
  learn?(model: WorldModel, found: Found): void;
}

/** A world as a call that was cut off may have left it. */
export interface Found {
  /** Amount that an account holds beyond what is due to it. */
  excessMinor(account: string): number;
  ids(kind: string): readonly string[];
  get(kind: string, id: string): Parsed;
}

/** A call under way. */
export interface UnderWay {
  call: Call;
  answer?: Seen | { lost: string };
}

export const keyedAnswer = (call: Call, seen: Seen, at: { as: string; atMs: number }) =>
  ({
    operation: call.operation,
    method: call.method,
    path: call.path,
    body: call.body,
    key: call.key ?? "",
    ...at,
    ...seen,
  }) satisfies KeyedAnswer;
