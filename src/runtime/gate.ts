/** Whoever comes waits for it while it is closed. */
export class Gate {
  /** Settles when the work it is closed for has ended; nothing while it is open. */
  opens: Promise<void> | undefined;

  /** Closes until some work has ended, however it ends. */
  closeFor(work: Promise<unknown>) {
    const opens = Promise.allSettled([this.opens, work]).then(() => {
      if (this.opens === opens) this.opens = undefined;
    });
    this.opens = opens;
  }

  /** Resolves when it is open. */
  async whenOpen() {
    while (this.opens) await this.opens;
  }
}
