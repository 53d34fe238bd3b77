import { type ChildProcess, fork } from "node:child_process";

/** A process that serves a simulator, and is asked and answered by messages. */
export class ServedProcess {
  private readonly child: ChildProcess;
  private take: (message: unknown) => void = () => {};
  private fail: (error: Error) => void = () => {};

  constructor(module: string) {
    this.child = fork(module, { execArgv: ["--import", "tsx"] });
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

  end() {
    if (this.child.connected) this.child.disconnect();
  }
}
