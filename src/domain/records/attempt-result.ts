/** How one attempt went; no `httpStatus` means that no answer came. */
export interface AttemptResult {
  deliveryId: string;
  atMs: number;
  tookMs: number;
  httpStatus?: number;
  reply?: string;
  error?: string;
  /** All that was read of the answer, for an event whose answer decides something. */
  body?: string;
  /** No whole answer came within the time that it has. */
  isTimeout?: true;
  /** The answer came from this machine. */
  isLoopback?: boolean;
  signature: string;
}
