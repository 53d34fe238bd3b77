import { randomBytes } from "node:crypto";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { httpServer } from "../http/sockets/http-server.ts";
import { ExerciseOwner } from "./exercise-owner.ts";
import { ExerciseWorld } from "./exercise-world.ts";
import type {
  CallStep,
  ExerciseStep,
  FormFile,
  ReceiverAnswer,
  ReceiverStep,
} from "./exercises/steps.ts";

/** A call with every reference filled in. */
export interface ExerciseCall {
  method: string;
  /** Below the platform's base; below `/_sim` for the control surface. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  file?: FormFile;
  /** A body as it stands, in place of `body`. */
  text?: string;
}

export interface ExerciseAnswer {
  status: number;
  body: unknown;
}

/** Sends calls to both surfaces of a simulator. */
export type SendExercise = (call: ExerciseCall) => Promise<ExerciseAnswer>;

/** One finished step, as a line shows it. */
export interface DoneStep {
  /** `POST /quotes`, `advance 6m` or `receiver`. */
  did: string;
  status?: number;
}

/** A step of an exercise was answered otherwise than expected. */
export class ExerciseFailure extends Error {
  override readonly name = "ExerciseFailure";
}

/** Bound of one clock step on the wall clock: a receiver that never answers takes its timeout. */
const ADVANCE_BUDGET_MS = 60_000;

const REFERENCE = /<(\w+(?:\.\w+)*)>/g;

/** A receiver whose first answers are given, and that accepts everything else. */
class ExerciseReceiver {
  private readonly answers: Map<string, ReceiverAnswer[]>;
  private readonly server: Server = httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => this.answer(Buffer.concat(chunks).toString("utf8"), response));
  });

  constructor({ answers }: ReceiverStep) {
    this.answers = new Map(Object.entries(answers).map(([type, given]) => [type, [...given]]));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(text: string, response: ServerResponse) {
    const { type } = JSON.parse(text) as { type: string };
    const answer = this.answers.get(type)?.shift() ?? 200;
    if (answer === "hang") return;
    if (answer === "drop") response.destroy();
    else if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(answer.status).end(JSON.stringify(answer.body));
  }
}

/** One exercise at work: its answers so far, and its receiver. */
class ExerciseRun {
  private readonly send: SendExercise;
  private readonly onStep: (step: DoneStep) => void;
  private readonly answers = new Map<string, unknown>();
  private readonly random = randomBytes(6).toString("hex");
  private receiver: ExerciseReceiver | undefined;
  private readonly world: ExerciseWorld;
  private owner: ExerciseOwner | undefined;

  constructor(send: SendExercise, onStep: (step: DoneStep) => void) {
    this.send = send;
    this.onStep = onStep;
    this.world = new ExerciseWorld(
      (method, path, body) => this.asked({ method, path, headers: {}, body }),
      (method, path, body) => this.told({ method, path, headers: {}, body }),
    );
  }

  /** Makes the world such that exercises work, whatever its settings are. */
  async begin() {
    const { crypto, sandboxUmaDomains } = await this.world.prepare();
    const owner = new ExerciseOwner(crypto, this.answers);
    await owner.begin();
    this.owner = owner;
    this.answers.set("owner", owner);
    this.answers.set("sandbox", { umaDomain: sandboxUmaDomains[0] });
  }

  async step(step: ExerciseStep) {
    if (step.kind === "advance") return this.advance(step.span);
    if (step.kind === "receiver") return this.receive(step);
    if (step.kind === "passkey") return this.makePasskey();
    const { as } = step;
    const { body } = await this.call(step);
    if (as !== undefined) this.answers.set(as, body);
    await this.owner?.answered(body);
  }

  /** Gives the world its configuration back. */
  async end() {
    try {
      await this.world.giveBack();
    } finally {
      this.receiver?.stop();
    }
  }

  private async makePasskey() {
    const challenge = Buffer.from(`registration ${this.random}`).toString("base64url");
    this.answers.set("passkey", await this.owner?.passkey(challenge));
  }

  private async call(step: CallStep): Promise<ExerciseAnswer> {
    if (step.method === "PATCH" && step.path === "/config") this.world.note(step.body ?? {});
    return this.told(this.filledCall(step), step.expect);
  }

  private async told(call: ExerciseCall, expect?: number): Promise<ExerciseAnswer> {
    const answer = await this.asked(call, expect);
    this.onStep({ did: `${call.method} ${call.path}`, status: answer.status });
    return answer;
  }

  private async asked(call: ExerciseCall, expect?: number): Promise<ExerciseAnswer> {
    const answer = await this.send(call);
    const { status, body } = answer;
    if (expect === undefined ? status < 400 : status === expect) return answer;
    const { message, error } = (body ?? {}) as {
      message?: string;
      error?: { message?: string };
    };
    const says = message ?? error?.message;
    throw new ExerciseFailure(
      `Expected ${expect ?? "2xx"} from ${call.method} ${call.path} but found ${status}` +
        (says === undefined ? "" : `: ${says}`),
    );
  }

  private async advance(span: string) {
    const body = { by: span, budgetMs: ADVANCE_BUDGET_MS };
    const { status } = await this.send({
      method: "POST",
      path: "/_sim/clock/advance",
      headers: {},
      body,
    });
    if (status >= 400) throw new ExerciseFailure(`Expected the clock to move but found ${status}`);
    this.onStep({ did: `advance ${span}` });
  }

  private async receive(step: ReceiverStep) {
    this.receiver = new ExerciseReceiver(step);
    await this.call(configured({ webhookEndpoint: await this.receiver.start() }));
    // The new endpoint gets its TEST event first.
    await this.advance("1ms");
  }

  private filledCall({ method, path, headers = {}, body, file, text }: CallStep): ExerciseCall {
    return {
      method,
      path: path.replace(REFERENCE, (_, name: string) =>
        encodeURIComponent(String(this.referred(name))).replaceAll("%3A", ":"),
      ),
      headers: this.filled(headers) as Record<string, string>,
      ...(body !== undefined && { body: this.filled(body) }),
      ...(file !== undefined && { file: this.filled(file) as FormFile }),
      ...(text !== undefined && { text }),
    };
  }

  private filled(value: unknown): unknown {
    if (typeof value === "string") return this.filledText(value);
    if (Array.isArray(value)) return value.map((one) => this.filled(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.filled(member)]),
    );
  }

  private filledText(text: string): unknown {
    const [, only] = /^<(\w+(?:\.\w+)*)>$/.exec(text) ?? [];
    if (only !== undefined) return this.referred(only);
    return text.replace(REFERENCE, (_, name: string) => String(this.referred(name)));
  }

  private referred(name: string): unknown {
    if (name === "random") return this.random;
    const [answer = "", ...members] = name.split(".");
    let value = this.answers.get(answer);
    for (const member of members) value = (value as Record<string, unknown> | undefined)?.[member];
    if (value === undefined) throw new ExerciseFailure(`Expected ${name} but found nothing there`);
    return value;
  }
}

const configured = (body: object): CallStep => ({
  kind: "call",
  method: "PATCH",
  path: "/config",
  body,
});

/**
 * Makes the calls of an exercise, one after the other.
 * @throws ExerciseFailure at the first answer that is not the expected one
 */
export const runExercise = async (
  steps: readonly ExerciseStep[],
  send: SendExercise,
  onStep: (step: DoneStep) => void = () => {},
): Promise<void> => {
  const run = new ExerciseRun(send, onStep);
  try {
    await run.begin();
    for (const step of steps) await run.step(step);
  } finally {
    await run.end();
  }
};
