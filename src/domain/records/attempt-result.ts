/** The result of one attempt; without `httpStatus` no answer came. */
export interface AttemptResult {
  deliveryId: string;
  atMs: number;
  tookMs: number;
  httpStatus?: number;
  reply?: string;
  /** A reply that is cut, with the bytes of the whole, as far as they were read. */
  cut?: { reply: number };
  error?: string;
  /** The whole body that was read, for an event whose answer decides something. */
  body?: string;
  /** No whole answer came within the timeout. */
  isTimeout?: true;
  /** The answer came from this machine. */
  isLoopback?: boolean;
  signature: string;
}
