import type { KeyedAnswer, Seen, WorldModel } from "./world-model.ts";

/** JSON as it came: bodies have every shape. */
export type Parsed = ReturnType<typeof JSON.parse>;

/** Text fields of a form, and its file. */
export interface Form {
  fields: Readonly<Record<string, string>>;
  fileName: string;
  file: string;
}

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
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  /** A form with one file, in place of a body. */
  form?: Form;
  /** Its answer continues without an end: only the beginning is read. */
  isStream?: boolean;
  /** Its answer is no JSON. */
  isText?: boolean;
  /** Statuses that the model allows. */
  expects: readonly number[];
  /** No other call is under way beside it. */
  isAlone?: boolean;
  /** Takes over what a success says. */
  done?(model: WorldModel, body: Parsed): void;
  /** Says in which way a success differs from what the model knows. */
  requires?(body: Parsed): string | undefined;
  /** Looks into the world after a success whose answer does not tell everything. */
  look?(model: WorldModel, found: Found): void;
  /** Compares the world with a call that was cut off, and takes over what it finds. */
  learn?(model: WorldModel, found: Found): void;
}

/** A world as a call that was cut off may have left it. */
export interface Found {
  /** Amount that an account holds beyond what is due to it. */
  excessMinor(account: string): number;
  ids(kind: string): readonly string[];
  /** Simulated epoch milliseconds. */
  nowMs: number;
  get(kind: string, id: string): Parsed;
}

/** A call under way. */
export interface UnderWay {
  call: Call;
  /** The model of its world when it was sent. */
  model?: WorldModel;
  /** Calls that were under way at the same time. */
  beside: Call[];
  answer?: Seen | { lost: string };
}

/** Notes of each other the calls that are under way at the same time. */
export const meet = (one: UnderWay, others: readonly UnderWay[]) => {
  for (const other of others) {
    one.beside.push(other.call);
    other.beside.push(one.call);
  }
};

/** Whether the model allows a status; what is removed at the same time may be gone. */
export const isExpected = ({ call, beside }: UnderWay, status: number): boolean =>
  call.expects.includes(status) ||
  (status === 404 &&
    beside.some(({ method, path, world }) => {
      return method === "DELETE" && path === call.path && world === call.world;
    }));

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

/** Customers whom no bulk import made. */
export const singlyMade = (found: Found) =>
  found
    .ids("Customer")
    .filter((id) => !`${found.get("Customer", id).platformCustomerId}`.startsWith("bulk-"));

/** The body of an answer. */
export const parsed = (text: string): Parsed => (text === "" ? {} : JSON.parse(text));

const ANY = [200, 201, 202, 204, 400, 401, 403, 404, 405, 408, 409, 410, 422, 429];

/** A call that may go either way: time moves by itself, or its world went elsewhere. */
export const loosened = ({ requires: _requires, ...call }: Call): Call => ({
  ...call,
  expects: ANY,
});
