import { type ChildProcess, fork } from "node:child_process";

/** A process that serves a simulator, and is asked and answered by messages. */
export class ServedProcess {
  private readonly child: ChildProcess;
  private take: (message: unknown) => void = () => {};
  private fail: (error: Error) => void = () => {};

  constructor(module: string, args: readonly string[] = []) {
    this.child = fork(module, args, { execArgv: ["--import", "tsx"] });
    this.child.on("message", (message) => this.take(message));
    this.child.on("exit", (code) =>
      this.fail(new Error(`Expected ${module} to serve but found it ended with ${code}`)),
    );
  }

  /** The next message; rejects when the process ends instead. */
  next<Message>(): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.take = resolve as (message: unknown) => void;
      this.fail = reject;
    });
  }

  ask<Message>(question: string): Promise<Message> {
    const answer = this.next<Message>();
    this.child.send(question);
    return answer;
  }

  /** Ends the process, and resolves when it has cleaned up. */
  end(): Promise<void> {
    this.fail = () => {};
    const ended = new Promise<void>((resolve) => {
      if (this.child.exitCode !== null) resolve();
      this.child.once("exit", () => resolve());
    });
    if (this.child.connected) this.child.disconnect();
    return ended;
  }
}
