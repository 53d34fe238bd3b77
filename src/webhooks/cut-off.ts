/**
 * Ends one attempt from outside: an `AbortController` for each attempt costs as much as its
 * signature.
 */
export class CutOff {
  private isCut = false;
  private run: (() => void) | undefined;

  /** Calls a function when the attempt is cut off, at once if it already is. */
  onCut(run: () => void) {
    if (this.isCut) run();
    else this.run = run;
  }

  cut() {
    this.isCut = true;
    this.run?.();
    this.run = undefined;
  }
}
