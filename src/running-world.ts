import { sharedOpenApi } from "./api/openapi.ts";
import { API_VERSION } from "./contract/core/api-version.ts";
import { defined } from "./contract/core/defined.ts";
import type { Fixture } from "./contract/platform/fixtures.ts";
import { CONTROL_BASE } from "./control/control-surface.ts";
import type { GuardOptions } from "./control/core/host-guard.ts";
import type { World } from "./control/core/world.ts";
import { feedRows } from "./control/feed/feed-rows.ts";
import { idTokenKeys } from "./control/id-token-keys.ts";
import { sharedControlOpenApi } from "./control/openapi.ts";
import type { FixtureFile } from "./control/seed/fixture-files.ts";
import type { SeedTarget } from "./control/seed/seed-call.ts";
import { NO_DELIVERIES, type Rehearsal } from "./control/seed/seed-rehearsal.ts";
import { SeededWorld } from "./control/seed/seed-world.ts";
import { webhookKeysOf } from "./control/webhooks/webhook-keys.ts";
import { showRequest } from "./control/why/requests.ts";
import type { WebhookKeys } from "./crypto/webhook-signature.ts";
import { FaultInjection } from "./http/fault-injection.ts";
import { Idempotency } from "./http/idempotency.ts";
import { type RequestDetail, RequestLog } from "./http/request-log.ts";
import type { CallReports } from "./http/served-world.ts";
import { jwksSourcesOf } from "./jwks-options.ts";
import { fetchFrom, mountedSurfaces, OPERATIONS } from "./mounted-surfaces.ts";
import { Advance, DEFAULT_BUDGET_MS } from "./runtime/advance.ts";
import { caughtUp } from "./runtime/caught-up.ts";
import type { Change } from "./runtime/change.ts";
import type { Engine } from "./runtime/engine.ts";
import { Feed } from "./runtime/feed.ts";
import { nextTurn } from "./runtime/host-time.ts";
import { type Deliveries, type Files, type IdTokenKeys, machineWall } from "./runtime/ports.ts";
import type { OpenWorld } from "./runtime/storage/open-world.ts";
import { tellPassedOver } from "./runtime/storage/read-state.ts";
import { allowedTargetsOf, type SimulatorOptions, worldOptionsOf } from "./simulator-options.ts";
import { VERSION } from "./version.ts";
import { collectedIn } from "./webhooks/collected.ts";
import { Dispatcher } from "./webhooks/dispatcher.ts";
import { tellWhenFull } from "./webhooks/full-outbox.ts";
import { WebhookTargets } from "./webhooks/targets.ts";

/** The process that serves a world, as far as the world needs it. */
export interface Host {
  controlToken: string;
  /** Scheme, host and port that it is reached at. */
  origin(): string;
  /** Whether only this machine reaches it; known before it listens, since webhooks go out before. */
  isLocal(): boolean;
  /** Whether no call can come from another machine now. */
  isLoopback(): boolean;
}

/** Serves copies, which only the fixture on trial can reach. */
const NO_HOST: Omit<Host, "controlToken"> = {
  origin: () => "http://127.0.0.1",
  isLocal: () => true,
  isLoopback: () => true,
};

/** Replies that wait for the journal leave within these turns of the event loop. */
const TURNS_TO_ANSWER = 5;

interface WorldParts {
  world: OpenWorld;
  options: SimulatorOptions;
  host: Host;
  /** Reports of a copy, which sends nothing to anyone; none for a world of its own. */
  copyReports?: CallReports;
}

/** One world at work: its engine, and everything that acts on it or tells of it. */
export class RunningWorld implements World {
  readonly engine: Engine;
  readonly deliveries: Deliveries;
  readonly tokenKeys: IdTokenKeys;
  readonly files: Files;
  readonly faults: FaultInjection;
  readonly keyedCalls = new Idempotency();
  readonly reports: CallReports;
  readonly advance: Advance;
  readonly feed: Feed;
  readonly log: RequestLog;
  readonly guard: GuardOptions;
  readonly operations = OPERATIONS;
  readonly keys: () => WebhookKeys;
  readonly oidcKeyPem: string;
  readonly clientId: string;
  readonly version = VERSION;
  readonly storage: World["storage"];
  private readonly targets: WebhookTargets;
  private readonly world: OpenWorld;
  private readonly options: SimulatorOptions;
  private readonly host: Host;
  private readonly seeded: SeededWorld;
  private readonly ending = new AbortController();
  private opening: Promise<void> | undefined;
  private isOpen = false;
  private requests = 0;

  constructor({ world, options, host, copyReports }: WorldParts) {
    const { engine, identity, start } = world;
    this.world = world;
    this.options = options;
    this.host = host;
    this.engine = engine;
    this.files = world.files;
    this.keys = webhookKeysOf(world, { isRepeatable: options.deterministicSignatures ?? false });
    this.oidcKeyPem = identity.oidcKeyPem;
    this.clientId = identity.clientId;
    const { storage: url = "memory:", fsync = false, allowHosts = [] } = options;
    this.storage = { url, fsync, passedOver: world.passedOver };
    const { controlToken } = host;
    this.guard = { controlToken, isLoopback: () => host.isLoopback(), allowHosts };
    engine.listeners.add({
      fired: (timer) => options.onActivity?.({ kind: "timer", ...timer }),
      alarm: (message) => options.onAlarm?.(message),
      changed: (change) => this.tellCollected(change),
    });
    this.targets = new WebhookTargets({
      isLoopback: () => host.isLocal(),
      allowed: allowedTargetsOf(options),
    });
    this.deliveries = copyReports ? NO_DELIVERIES : this.dispatcher();
    engine.join(this.deliveries);
    const rows = feedRows({ engine, log: () => this.log, faults: () => this.faults });
    this.feed = new Feed(engine, start, rows);
    this.log = this.requestLog(copyReports ? undefined : world.requests);
    this.reports = copyReports ?? this.ownReports();
    this.faults = new FaultInjection(engine);
    this.advance = new Advance(engine, this.deliveries, machineWall);
    this.tokenKeys = idTokenKeys({
      keyPem: identity.oidcKeyPem,
      issuer: () => this.tokenIssuer(),
      sources: jwksSourcesOf(options),
    });
    this.seeded = new SeededWorld({
      world,
      options: worldOptionsOf(options),
      trial: (rehearsal) => this.trial(rehearsal),
      close: () => this.close(),
      leave: () => this.leave(),
      deliver: () => this.deliver(),
    });
  }

  get closing(): World["closing"] {
    return this.ending.signal;
  }

  /** Opens the world; everything that fell due while it was stopped fires from now on. */
  async open(fixture: FixtureFile | undefined) {
    await this.seeded.open(fixture);
    this.opening = this.catchUp();
    // Every caller of opened() is told of the failure.
    this.opening.catch(() => {});
    this.engine.gate.closeFor(this.opening);
  }

  /** Resolves when everything that fell due while it was stopped has fired. */
  async opened() {
    await this.opening;
  }

  /** Says that its start failed: closing brings back the state that the start set aside. */
  giveUp(failure: unknown) {
    this.world.giveUp(failure);
  }

  isReady() {
    return this.isOpen;
  }

  urls() {
    const origin = this.host.origin();
    return { apiUrl: `${origin}/${API_VERSION}`, controlUrl: `${origin}${CONTROL_BASE}` };
  }

  tokenIssuer() {
    return `${this.urls().controlUrl}/oidc`;
  }

  targetRefusal(url: string) {
    return this.targets.refusalOf(url);
  }

  fixture() {
    return this.seeded.name;
  }

  reset() {
    return this.seeded.reset();
  }

  seed(fixture: Fixture) {
    return this.seeded.seed(fixture);
  }

  openApi(surface: "platform" | "control") {
    return surface === "platform" ? sharedOpenApi(VERSION) : sharedControlOpenApi(VERSION);
  }

  /** Signs with a new key from now on, and reports its public half. */
  async rotateKey() {
    await this.world.kept.rotateWebhookKey();
    this.options.onWebhookKey?.(this.keys().current.publicPem);
  }

  /** Ends what goes on in it, then the listeners that serve it, then its storage. */
  async close(listenersNow: () => readonly { close(): Promise<void> }[] = () => []) {
    this.advance.abandon();
    this.ending.abort();
    this.feed.close();
    this.deliveries.close();
    // In these turns streams end, and calls that wait are answered with what is durable.
    for (let turns = 0; turns < TURNS_TO_ANSWER; turns += 1) await nextTurn();
    // A listener that was starting when this was called may be there by now.
    await Promise.all(listenersNow().map((listener) => listener.close()));
    await this.world.close();
  }

  private async catchUp() {
    const { engine, isNew, applyStart, passedOver } = this.world;
    await caughtUp(engine);
    const damage = tellPassedOver(passedOver);
    if (damage !== undefined) engine.alarm(damage);
    if (!isNew) applyStart();
    // A start fails when storage cannot keep it.
    await engine.journal.reached(engine.state.seq);
    this.isOpen = true;
  }

  private requestLog(requests: OpenWorld["requests"]): RequestLog {
    const { engine, start } = this.world;
    const tellDamage = (message: string) => engine.alarm(message);
    const log = new RequestLog(engine, {
      start,
      onEntry: (request) => this.feed.publish("request", () => showRequest(request())),
      ...(requests && {
        earlier: () => requests.read(engine.state, tellDamage) as RequestDetail[],
      }),
    });
    requests?.attach(log);
    return log;
  }

  private dispatcher(): Deliveries {
    const { webhookTimeoutMs, onActivity } = this.options;
    tellWhenFull(this.engine);
    return new Dispatcher({
      engine: this.engine,
      keys: this.keys,
      targets: this.targets,
      ...defined({ timeoutMs: webhookTimeoutMs }),
      onAttempt: (report) => {
        this.advance.noteAttempt(report);
        onActivity?.({ kind: "webhook", ...report });
      },
    });
  }

  private tellCollected(change: Change) {
    const { onActivity } = this.options;
    if (onActivity && change.emit)
      for (const report of collectedIn(change)) onActivity({ kind: "webhook", ...report });
  }

  private ownReports(): CallReports {
    const { onActivity, onAlarm } = this.options;
    const { start } = this.world;
    return {
      nextRequestId: () => {
        this.requests += 1;
        return `req-${start}-${this.requests}`;
      },
      onBug: (error, requestId) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        onAlarm?.(`${requestId} met a bug: ${text}`);
      },
      onRequest: (report) => {
        onActivity?.({ kind: "request", ...report });
        if (report.isControl)
          this.feed.publishControl(() => showRequest({ ...report, caused: [] }));
      },
      log: this.log,
    };
  }

  /** A copy of it behind surfaces of its own, to try a fixture on. */
  private trial(rehearsal: Rehearsal): SeedTarget {
    const { controlToken } = this.host;
    const copy = new RunningWorld({
      world: rehearsal.world,
      options: {},
      host: { ...NO_HOST, controlToken },
      copyReports: rehearsal.reportsTo(this.reports),
    });
    const app = mountedSurfaces(() => copy);
    return {
      ...copy.urls(),
      clientId: copy.clientId,
      clientSecret: rehearsal.world.identity.clientSecret,
      controlToken,
      fetch: (request) => fetchFrom(app, request),
      close: () => copy.close(),
    };
  }

  private leave() {
    this.advance.abandon();
    this.log.clear();
  }

  /** Attempts every webhook that may be sent. */
  private async deliver() {
    const toMs = this.engine.clock.now();
    return (await this.advance.to({ target: { toMs }, budgetMs: DEFAULT_BUDGET_MS })).webhookCount;
  }
}
