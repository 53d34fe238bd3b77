/** What came of one request of a fixture. */
export interface SeedRequest {
  name?: string;
  method: string;
  path: string;
  status: number;
  /** What the answer is, or the one thing it lists. */
  id?: string;
}

/** What came of one clock step. */
export interface SeedAdvance {
  advance: string;
  /** The instant reached. */
  to: string;
  firedCount: number;
  /** Attempts: they are made when the whole fixture is in, and counted by its last clock step. */
  webhookCount: number;
}

/** Reply of POST /_sim/seed. */
export interface SeedReport {
  fixture: string;
  steps: (SeedRequest | SeedAdvance)[];
  /** Ids of the named answers. */
  names: Record<string, string>;
}
