/** Times are simulated epoch milliseconds; views turn them into ISO instants. */
export interface Timestamps {
  id: string;
  createdAtMs: number;
  updatedAtMs: number;
}
