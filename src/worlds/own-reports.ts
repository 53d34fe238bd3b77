import { showRequest } from "../control/why/requests.ts";
import type { CallReports } from "../http/door/served-world.ts";
import type { Activity, RequestReport } from "../http/log/log-entry.ts";
import type { RequestLog } from "../http/log/request-log.ts";
import type { Feed } from "../runtime/feed.ts";

/** Everyone who is told of the calls of a world. */
interface Audience {
  coverage: { requested(report: RequestReport): void };
  feed: Feed;
  log: RequestLog;
  tell(activity: Activity): void;
  alarm(message: string): void;
}

/** The numbers of a world's calls, and the reports about them. */
export class OwnReports implements CallReports {
  readonly log: RequestLog;
  /** Requests that have a number. */
  count: number;
  private readonly start: number;
  private readonly audience: Audience;

  /** @param numbers.earlier requests that this start numbered before the world was unloaded */
  constructor(audience: Audience, numbers: { start: number; earlier?: number | undefined }) {
    this.audience = audience;
    this.log = audience.log;
    this.start = numbers.start;
    this.count = numbers.earlier ?? 0;
  }

  // They are called apart from it: a fixture's calls are told through a copy of these.
  nextRequestId = () => {
    this.count += 1;
    return `req-${this.start}-${this.count}`;
  };

  onBug = (error: unknown, requestId: string) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.audience.alarm(`${requestId} met a bug: ${text}`);
  };

  onRequest = (report: RequestReport) => {
    const { coverage, feed } = this.audience;
    coverage.requested(report);
    this.audience.tell({ kind: "request", ...report });
    if (report.isControl) feed.publishControl(() => showRequest({ ...report, caused: [] }));
  };
}
