import type { ControlClient } from "../../client/control-client.ts";
import type { Style, Terminal } from "../text/terminal.ts";
import { CLIENT_OPTIONS, type Command, EXIT, type Invocation } from "./command.ts";
import { findInstance, reach } from "./reach.ts";

/** A call of the control surface: its path is below `/_sim`, its body empty by default. */
export type Call =
  | readonly [method: "GET" | "DELETE", path: string]
  | readonly [method: "POST" | "PUT", path: string, body?: object];

/** The call that was answered, for lines that tell of more than the answer. */
export interface AnswerContext {
  invocation: Invocation;
  client: ControlClient;
  terminal: Terminal;
  /** Real milliseconds until the answer. */
  tookMs: number;
}

/** A command that makes one call of the control surface and shows its answer. */
export interface ClientCommand<Body> extends Omit<Command, "run" | "options"> {
  /** Those of every client by default. */
  options?: Command["options"];
  /** Makes the call of the arguments, or refuses them before a simulator is looked for. */
  call(invocation: Invocation): Call;
  /** The document that `--json` prints and the lines describe; the answer as it came by default. */
  document?(answer: Body, invocation: Invocation): Body;
  /** The value that `--quiet` prints; the one line of a command without others. */
  value?(answer: Body): string | undefined;
  lines?(answer: Body, style: Style, answered: AnswerContext): string | readonly string[];
  /** Commands that continue from here. */
  next?(answer: Body, style: Style): string | readonly string[];
  /** Whether the requested thing happened; true by default. */
  isDone?(answer: Body): boolean;
}

const answerTo = <Body>(client: ControlClient, [method, path, body]: Call) => {
  if (method === "GET") return client.get<Body>(path);
  if (method === "DELETE") return client.delete<Body>(path);
  return method === "PUT" ? client.put<Body>(path, body ?? {}) : client.post<Body>(path, body);
};

/** Makes the command of a call: finds the simulator, calls it, and prints the answer. */
export const clientCommand = <Body>({
  call,
  document = (answer) => answer,
  value,
  lines,
  next,
  isDone,
  options = CLIENT_OPTIONS,
  ...command
}: ClientCommand<Body>): Command => ({
  ...command,
  options,
  run: async (invocation, terminal) => {
    const made = call(invocation);
    const { client } = findInstance(invocation);
    const startedMs = performance.now();
    const answer = document(await reach(answerTo<Body>(client, made)), invocation);
    const tookMs = performance.now() - startedMs;
    terminal.document(answer);
    const shown = value?.(answer);
    const isAlone = terminal.quiet || !lines;
    if (shown !== undefined && isAlone && !terminal.json) terminal.answer(shown);
    const shownLines =
      lines?.(answer, terminal.style, { invocation, client, terminal, tookMs }) ?? [];
    terminal.print(...[shownLines].flat());
    for (const step of [next?.(answer, terminal.style) ?? []].flat()) terminal.next(step);
    return (isDone?.(answer) ?? true) ? EXIT.done : EXIT.notDone;
  },
});
