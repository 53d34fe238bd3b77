/** Texts that are remembered: a process has few endpoints at a time. */
const MOST = 64;

/** The results of a pure function for the texts asked about, up to a bound. */
export class Memo<Result> {
  private readonly results = new Map<string, Result>();
  private readonly compute: (text: string) => Result;

  constructor(compute: (text: string) => Result) {
    this.compute = compute;
  }

  of(text: string): Result {
    const known = this.results.get(text);
    if (known !== undefined) return known;
    const result = this.compute(text);
    if (this.results.size >= MOST) this.results.clear();
    this.results.set(text, result);
    return result;
  }
}
