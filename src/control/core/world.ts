import type { CoverageReport, Exercised } from "../../contract/control/coverage.ts";
import type { WorldRecording } from "../../contract/control/recordings.ts";
import type { SeedProgress, SeedReport } from "../../contract/control/seed.ts";
import type { DamagedWorld, WorldRow } from "../../contract/control/worlds.ts";
import type { Fixture } from "../../contract/platform/fixtures.ts";
import type { WebhookKeys } from "../../crypto/webhook-signature.ts";
import type { InitialSettings } from "../../domain/records/initial-settings.ts";
import type { ServedWorld, WorldSet } from "../../http/door/served-world.ts";
import type { RequestLog } from "../../http/log/request-log.ts";
import type { Advance } from "../../runtime/advance.ts";
import type { Feed } from "../../runtime/feed.ts";
import type { Timelines } from "../../runtime/past/timelines.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import type { Send } from "../../scripts/script-call.ts";
import type { SkippedFile } from "../../storage/port/recovery.ts";
import type { SharedStore } from "../../storage/port/shared-store.ts";
import type { GuardOptions } from "./host-guard.ts";

/** An OpenAPI document and its text, made once and shared. */
export interface SharedDocument {
  document: unknown;
  text: string;
}

/** Coverage of a world, or of all worlds of its simulator. */
export interface WorldCoverage {
  report(of: "world" | "all"): Promise<CoverageReport>;
  clear(of: "world" | "all"): void;
  /** Makes the calls that meet an item; undefined when there is no such item. */
  exercise(item: string, send: Send): Promise<Exercised | undefined>;
}

/** Name, origin and credentials of a world to be made. */
export interface WorldWish {
  name?: string | undefined;
  /** The default world, unless another one is named. */
  origin?: World;
  /** The state that it begins with: the present one of its origin, unless another is given. */
  state?: WorldState;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  seed?: string | undefined;
  /** Values of its own, such as a brand. */
  opening?: Partial<InitialSettings> | undefined;
}

/** The worlds of a process, as the control surface lists, makes and removes them. */
export interface Worlds extends WorldSet<World> {
  /** The store, where several processes share it. */
  readonly shared: SharedStore | undefined;
  /** The end of this process: how long it still serves calls, and whether it has begun. */
  readonly drain: { readonly forMs: number; readonly isOn: boolean };
  /** @param of those that this process serves, where several share a store; else all */
  list(of?: "process"): Promise<WorldRow[]>;
  /** The worlds whose files cannot be read, as far as it is known. */
  damages(): DamagedWorld[];
  /** @throws Refusal when the name or the client id is taken, or no further world is allowed */
  create(wish: WorldWish): Promise<World>;
  /** @throws Refusal for a world that is not there, and for the default one */
  remove(name: string): Promise<void>;
  /** Learns that another process has removed a world, which no late call may make again. */
  removedElsewhere(name: string): void;
}

/** A capsule to be begun. */
export interface RecordingWish {
  /** The file that it is written to, in words for others who ask. */
  name?: string | undefined;
  withSecrets: boolean;
}

/** Capsules of a process while it runs: one at a time (spec/capsules.md#recording). */
export interface Recordings {
  /**
   * Begins one when no call is under way.
   * @returns its lines; whoever stops reading ends it
   * @throws Refusal when one is being written, and when calls do not end
   */
  begin(wish: RecordingWish): Promise<ReadableStream<Uint8Array>>;
  /** Writes the last line. @throws Refusal when none is being written */
  end(): Promise<{ requests: number }>;
  /** The recording of one world since its birth. @throws Refusal when there is none of it */
  ofWorld(name: string): Promise<WorldRecording>;
}

/** One world and the things around it, as the control surface works on them. */
export interface World extends ServedWorld {
  advance: Advance;
  feed: Feed;
  log: RequestLog;
  coverage: WorldCoverage;
  timelines: Timelines;
  guard: GuardOptions;
  /** Aborted when the world closes: calls that wait are answered then. */
  closing: AbortSignal;
  /** `POST /quotes` for `createQuote`; those of the control surface begin with its base. */
  operations: ReadonlyMap<string, string>;
  /**
   * Answers a request as its process does over HTTP.
   * @throws TypeError when a fault switch loses the answer
   */
  fetch(request: Request): Promise<Response>;
  /** The key that signs webhooks, and those that signed before. */
  keys(): WebhookKeys;
  /** Signs with a new key from now on. */
  rotateKey(): Promise<void>;
  /** A value that no seed foretells; a replay has it from its capsule. */
  drawn(what: "codes" | "webhook key", draw: () => string): string;
  /** Capsules of the process. */
  recordings: Recordings;
  /** P-256 key of the built-in token issuer, PEM. */
  oidcKeyPem: string;
  /** The `iss` of its tokens. */
  tokenIssuer(): string;
  /** User name of HTTP Basic that means it, and its secret. */
  clientId: string;
  clientSecret: string;
  /** All worlds of its process. */
  worlds: Worlds;
  version: string;
  storage: {
    url: string;
    fsync: boolean;
    passedOver: readonly SkippedFile[];
    /** Whole path of its folder; none in memory. */
    directory?: string;
    /** Tells that the folder was removed or replaced while in use; nothing where it was not. */
    lost(): string | undefined;
  };
  urls(): { apiUrl: string; controlUrl: string };
  /** Explains why webhooks to a URL are never sent; nothing when they may be. */
  targetRefusal(url: string): string | undefined;
  isReady(): boolean;
  /** Name of the fixture the world started with. */
  fixture(): string;
  /** Goes back to the start, the fixture included; what is left is kept as a snapshot. */
  reset(): Promise<void>;
  /** Puts a fixture in, all of it or nothing. */
  seed(fixture: Fixture): Promise<SeedReport>;
  /** Progress of records that are being generated; nothing while none are. */
  seedProgress(): SeedProgress | undefined;
  /** The OpenAPI document of a surface. */
  openApi(surface: "platform" | "control"): Promise<SharedDocument>;
}
