import type { SeedReport } from "../../contract/control/seed-report.ts";
import type { Fixture } from "../../contract/platform/fixtures.ts";
import type { WebhookKeys } from "../../crypto/webhook-signature.ts";
import type { FaultInjection } from "../../http/fault-injection.ts";
import type { RequestLog } from "../../http/request-log.ts";
import type { Advance } from "../../runtime/advance.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { Feed } from "../../runtime/feed.ts";
import type { PassedOver } from "../../runtime/storage/read-state.ts";

/** What the control surface works on: one world and the things around it. */
export interface WorldControl {
  engine: Engine;
  advance: Advance;
  feed: Feed;
  log: RequestLog;
  faults: FaultInjection;
  /** Aborted when the simulator closes: whoever waits is told. */
  closing: AbortSignal;
  /** `POST /quotes` for `createQuote`; those of the control surface begin with its base. */
  operations: ReadonlyMap<string, string>;
  /** What signs webhooks now, and what did before. */
  keys(): WebhookKeys;
  /** Signs with a new key from now on. */
  rotateKey(): Promise<void>;
  /** P-256 key of the built-in token issuer, PEM; and the `iss` of its tokens. */
  oidcKeyPem: string;
  tokenIssuer(): string;
  /** User name of the start token. */
  clientId: string;
  version: string;
  storage: { url: string; fsync: boolean; passedOver: readonly PassedOver[] };
  urls(): { apiUrl: string; controlUrl: string };
  isReady(): boolean;
  /** Name of the fixture the world started with. */
  fixture(): string;
  /** Back to the start, the fixture included; at once when there is none. */
  reset(): void | Promise<void>;
  /** Puts a fixture in, all of it or nothing. */
  seed(fixture: Fixture): Promise<SeedReport>;
  /** The platform's contract; one document and one text for all who ask. */
  openApi(): Promise<{ document: unknown; text: string }>;
}
