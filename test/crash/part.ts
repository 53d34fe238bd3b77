/** Everything that a part of the campaign is given. */
export interface PartInput {
  runs: number;
  seed: number;
  /** Adds to a figure of the report, or raises it to a highest value. */
  count(figure: string, by?: number, how?: "sum" | "highest"): void;
  /** Notes a defect and the command that shows it again. */
  fail(what: string, replay: string): void;
  /** Shows progress. */
  tell(progress: string): void;
}

/** One part of the campaign; it ends by itself. */
export type Part = (input: PartInput) => Promise<void>;
