/** Makes callers wait while it is closed. */
export class Gate {
  /** Settles when the work behind the closed gate has ended; undefined while it is open. */
  opens: Promise<void> | undefined;

  /** Closes the gate until some work ends, in success or failure. */
  closeFor(work: Promise<unknown>) {
    const opens = Promise.allSettled([this.opens, work]).then(() => {
      if (this.opens === opens) this.opens = undefined;
    });
    this.opens = opens;
  }

  /** Resolves when the gate is open. */
  async whenOpen() {
    while (this.opens) await this.opens;
  }
}
