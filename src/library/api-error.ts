/** The body of a refusal, of either surface. */
interface RefusalBody {
  status?: number;
  code?: string;
  message?: string;
  details?: Record<string, unknown>;
  /** The control surface has its error in a member of its own. */
  error?: { code: string; message: string; next?: string[]; details?: Record<string, unknown> };
}

/** A call and the refusal that answered it. */
interface RefusedCall {
  /** The operation, or method and path. */
  called: string;
  status: number;
  body: unknown;
  requestId?: string | undefined;
}

const bodyOf = (body: unknown): RefusalBody =>
  typeof body === "object" && body !== null ? body : {};

/** Raised when the simulator refuses a call; the message names the call and the refusal. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** Published code, such as `INVALID_INPUT`. */
  readonly code: string;
  /** Closer reason, where the code has several. */
  readonly reason: string | undefined;
  /** Facts about the refusal, such as the field. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Id in the request log, for `why` and `requests.get`. */
  readonly requestId: string | undefined;
  /** Next steps, from refusals of the control surface. */
  readonly next: readonly string[];
  /** The whole body as it came. */
  readonly body: unknown;

  constructor({ called, status, body, requestId }: RefusedCall) {
    const { error, ...top } = bodyOf(body);
    const { code = "UNEXPECTED", message = "no words of explanation", details = {} } = error ?? top;
    super(`${called} was refused with ${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.reason = typeof details.reason === "string" ? details.reason : undefined;
    this.details = details;
    this.requestId = requestId;
    this.next = error?.next ?? [];
    this.body = body;
  }
}

/** Raised by everything that is asked of a simulator, or of a fork, after it was closed. */
export class SimulatorClosed extends Error {
  override readonly name = "SimulatorClosed";

  /** @param fork name of the fork; none for the simulator itself */
  constructor(fork?: string) {
    super(
      fork === undefined
        ? "Expected an open simulator but found it closed"
        : `Expected an open world but found ${fork} closed`,
    );
  }
}
