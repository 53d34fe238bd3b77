import { randomBytes } from "node:crypto";
import { H3 } from "h3";
import { sharedOpenApi } from "./api/openapi.ts";
import { platformSurface } from "./api/platform-surface.ts";
import { API_VERSION } from "./contract/core/api-version.ts";
import { CONTROL_BASE, controlSurface } from "./control/control-surface.ts";
import type { WorldControl } from "./control/core/world-control.ts";
import { feedRows } from "./control/feed/feed-rows.ts";
import { idTokenKeys } from "./control/id-token-keys.ts";
import { type FixtureFile, fixtureOf } from "./control/seed/fixture-files.ts";
import { FixtureTextError } from "./control/seed/fixture-text.ts";
import { NO_DELIVERIES, type Rehearsal } from "./control/seed/seed-rehearsal.ts";
import { requireSameFixture, SeededWorld } from "./control/seed/seed-world.ts";
import { type SimulatorStatus, statusOf } from "./control/status.ts";
import { webhookKeysOf } from "./control/webhooks/webhook-keys.ts";
import { showRequest } from "./control/why/requests.ts";
import type { WebhookKeys } from "./crypto/webhook-signature.ts";
import { parseDuration } from "./domain/core/durations.ts";
import { DROPPED_HEADER, FaultInjection } from "./http/fault-injection.ts";
import { mountKycPage } from "./http/kyc-page.ts";
import {
  type Listener,
  type ListenOptions,
  listenConveniently,
  listenPlainly,
} from "./http/listen.ts";
import { RequestLog } from "./http/request-log.ts";
import { mountSurface, type SurfaceDeps } from "./http/routes.ts";
import { badPathReply, mountUnknownPaths } from "./http/unknown-paths.ts";
import { jwksSourcesOf, requireJwks, requireJwksOfState } from "./jwks-options.ts";
import { Advance, DEFAULT_BUDGET_MS } from "./runtime/advance.ts";
import { caughtUp } from "./runtime/caught-up.ts";
import { Feed } from "./runtime/feed.ts";
import { type Deliveries, machineWall } from "./runtime/ports.ts";
import { type OpenWorld, openWorld } from "./runtime/storage/open-world.ts";
import { type PassedOver, tellPassedOver } from "./runtime/storage/read-state.ts";
import {
  type Activity,
  allowedTargetsOf,
  type Guessable,
  guessableAt,
  isLocalPlace,
  LOOPBACK,
  OptionError,
  type SimulatorOptions,
  worldOptionsOf,
} from "./simulator-options.ts";
import { VERSION } from "./version.ts";
import { Dispatcher } from "./webhooks/dispatcher.ts";
import { tellWhenFull } from "./webhooks/full-outbox.ts";
import { WebhookTargets } from "./webhooks/targets.ts";

export type { Activity, ListenOptions, SimulatorOptions };
export { OptionError };

/** What an advance did, in short; the control surface tells it in full. */
export interface AdvanceSummary {
  /** The instant reached, ISO 8601. */
  to: string;
  /** False when the wall budget ran out before everything was attempted. */
  complete: boolean;
  firedCount: number;
  webhookCount: number;
}

/** A running simulator. */
export interface Simulator {
  readonly apiUrl: string;
  readonly controlUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PEM of the key that verifies `X-Service-Signature`. */
  readonly webhookPublicKey: string;
  /** Bearer token of the control surface beyond loopback. */
  readonly controlToken: string;
  /** State found at opening; `asideIn`: the folder that has the earlier state. */
  readonly opened: {
    isNew: boolean;
    seed: string;
    records: number;
    tornBytes: number;
    asideIn?: string;
    /** Damaged files of checkpoints that something else stood in for. */
    passedOver: readonly PassedOver[];
  };
  /** Resolves when what fell due while it was stopped has fired; until then calls wait. */
  ready(): Promise<void>;
  /** What `service-sim status` shows. */
  status(): SimulatorStatus;
  /** Answers a request in this process, without a port. */
  fetch(request: Request): Promise<Response>;
  /** Moves the clock by a span like `6m`; resolves when everything due has happened. */
  advance(span: string): Promise<AdvanceSummary>;
  /**
   * Takes a port; 0 takes any free one. Beyond loopback, `guessable` names credentials that anyone
   * who knows the seed can make too.
   * @throws OptionError when there are any and the option `host` has not named that address
   */
  listen(options?: ListenOptions): Promise<{ url: string; port: number; guessable: Guessable[] }>;
  close(): Promise<void>;
}

/** Replies that wait for the journal leave within these turns of the event loop. */
const TURNS_TO_ANSWER = 5;

/**
 * Starts a simulator in this process. With `file:` storage it owns the directory until closed.
 * @throws OptionError, StateLocked, JournalDamage, StateDamage, WorldExists
 */
export const createSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> => {
  try {
    const fixture = options.fixture === undefined ? undefined : await fixtureOf(options.fixture);
    const asked = worldOptionsOf(options);
    // Before the state is locked: what cannot be used leaves no lock behind.
    allowedTargetsOf(options);
    requireJwks(options);
    const world = await openWorld({
      ...asked,
      ...(fixture && { requireFit: (kept) => requireSameFixture(fixture.fixture, kept) }),
    });
    await requireJwksOfState(options, world);
    const simulator = new RunningSimulator(world, options);
    await simulator.open(fixture);
    if (!options.answersBeforeReady) await simulator.ready();
    return simulator;
  } catch (error) {
    throw error instanceof FixtureTextError ? new OptionError(error.message) : error;
  }
};

class RunningSimulator implements Simulator {
  readonly clientId: string;
  readonly clientSecret: string;
  private readonly keys: () => WebhookKeys;
  readonly controlToken = randomBytes(18).toString("base64url");
  readonly opened: Simulator["opened"];
  private readonly world: OpenWorld;
  private readonly options: SimulatorOptions;
  private readonly advances: Advance;
  private readonly deliveries: Deliveries;
  private readonly seeded: SeededWorld;
  private readonly app: H3;
  private readonly control: WorldControl;
  private readonly feed: Feed;
  private readonly log: RequestLog;
  private readonly faults: FaultInjection;
  private readonly closing = new AbortController();
  private listener: Listener | undefined;
  private origin = "http://127.0.0.1";
  /** Whether only this machine reaches it; known before it listens, since webhooks go out before. */
  private isLocal: boolean;
  private opening: Promise<void> | undefined;
  private isOpen = false;
  private requests = 0;

  /** @param trialDeps of a simulator on a copy of a world; it sends nothing to anyone */
  constructor(world: OpenWorld, options: SimulatorOptions, trialDeps?: Partial<SurfaceDeps>) {
    const { engine, identity, isNew, recovery, passedOver, asideIn } = world;
    this.world = world;
    this.options = options;
    this.isLocal = isLocalPlace(options);
    this.keys = webhookKeysOf(world);
    this.clientId = identity.clientId;
    this.clientSecret = identity.clientSecret;
    const aside = asideIn !== undefined && { asideIn };
    this.opened = { isNew, seed: identity.seed, ...recovery, passedOver, ...aside };
    engine.listeners.add({
      fired: (timer) => options.onActivity?.({ kind: "timer", ...timer }),
      alarm: (message) => options.onAlarm?.(message),
    });
    const deliveries = trialDeps ? NO_DELIVERIES : this.dispatcher();
    this.deliveries = deliveries;
    engine.join(deliveries);
    this.feed = new Feed(
      engine,
      world.start,
      feedRows(engine, () => this.log),
    );
    this.log = new RequestLog(engine, world.start, (request) =>
      this.feed.publish("request", () => showRequest(request())),
    );
    this.faults = new FaultInjection(engine);
    this.advances = new Advance(engine, deliveries, machineWall);
    const deps = { ...this.surfaceDeps(deliveries), ...trialDeps };
    this.seeded = new SeededWorld({
      world,
      options: worldOptionsOf(options),
      trial: (tried: Rehearsal) => new RunningSimulator(tried.world, {}, tried.depsFrom(deps)),
      close: () => this.close(),
      leave: () => this.leave(),
      deliver: () => this.deliver(),
    });
    const platform = platformSurface(engine);
    this.app = new H3({ silent: true, onError: badPathReply(platform, engine) });
    const operations = new Map<string, string>();
    this.control = this.worldControl(operations);
    const guard = {
      controlToken: this.controlToken,
      isLoopback: () => this.listener === undefined || this.isLocal,
      allowHosts: options.allowHosts ?? [],
    };
    const control = controlSurface(this.control, guard);
    for (const surface of [platform, control]) {
      mountSurface(this.app, surface, deps);
      const base = surface.isUnlogged ? surface.base : "";
      for (const { operationId, method, path } of surface.endpoints)
        operations.set(operationId, `${method} ${base}${path}`);
    }
    mountKycPage(this.app, engine);
    mountUnknownPaths(this.app, [platform, control], engine);
  }

  /** Opens the world; what fell due while it was stopped fires from now on. */
  async open(fixture: FixtureFile | undefined) {
    await this.seeded.open(fixture);
    this.opening = this.catchUp();
    // Whoever waits for it is told.
    this.opening.catch(() => {});
    this.world.engine.gate.closeFor(this.opening);
  }

  private async catchUp() {
    const { engine, isNew, applyStart, passedOver } = this.world;
    await caughtUp(engine);
    const damage = tellPassedOver(passedOver);
    if (damage !== undefined) engine.alarm(damage);
    if (!isNew) applyStart();
    // A start that storage cannot keep is no start.
    await engine.journal.reached(engine.state.seq);
    this.isOpen = true;
  }

  async ready() {
    try {
      await this.opening;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get webhookPublicKey() {
    return this.keys().current.publicPem;
  }

  get apiUrl() {
    return `${this.origin}/${API_VERSION}`;
  }

  get controlUrl() {
    return `${this.origin}${CONTROL_BASE}`;
  }

  private get tokenIssuer() {
    return `${this.controlUrl}/oidc`;
  }

  status() {
    return statusOf(this.control);
  }

  async fetch(request: Request): Promise<Response> {
    const response = await this.app.fetch(request);
    const fault = response.headers.get(DROPPED_HEADER);
    if (fault !== null) throw new TypeError(`fetch failed: ${fault} lost the answer`);
    return response;
  }

  async advance(span: string): Promise<AdvanceSummary> {
    const spanMs = parseDuration(span);
    if (spanMs === undefined)
      throw new OptionError(
        `Expected a duration like 90s, 6m, 1h30m, 7d or PT6M but found "${span}"`,
      );
    const target = { byMs: spanMs };
    const called = `advance ${span}`;
    const report = await this.advances.to({ target, budgetMs: DEFAULT_BUDGET_MS, called });
    await this.world.engine.journal.reached(this.world.engine.state.seq);
    const { complete, firedCount, webhookCount } = report;
    return { to: new Date(report.toMs).toISOString(), complete, firedCount, webhookCount };
  }

  async listen(given: ListenOptions = {}) {
    const { port = 0, host = this.options.host ?? LOOPBACK, conveniences } = given;
    const place = { host, tunnel: conveniences?.tunnel ?? false };
    const guessable = guessableAt(place, this.options, this.world.kept.now);
    const fetch = (request: Request) => this.app.fetch(request);
    const listener = conveniences
      ? await listenConveniently(fetch, { port, host, conveniences })
      : await listenPlainly(fetch, { port, host });
    this.listener = listener;
    this.isLocal = isLocalPlace(place);
    this.origin = listener.url;
    return { url: listener.url, port: Number(new URL(listener.url).port), guessable };
  }

  async close() {
    this.advances.abandon();
    this.closing.abort();
    this.feed.close();
    this.deliveries.close();
    // Turns in which streams end, and whoever waits is answered with what is durable.
    for (let turns = 0; turns < TURNS_TO_ANSWER; turns += 1)
      await new Promise<void>((resolve) => setImmediate(resolve));
    await this.listener?.close();
    await this.world.close();
  }

  private worldControl(operations: ReadonlyMap<string, string>): WorldControl {
    const { storage = "memory:", fsync = false } = this.options;
    return {
      engine: this.world.engine,
      advance: this.advances,
      feed: this.feed,
      log: this.log,
      faults: this.faults,
      closing: this.closing.signal,
      operations,
      keys: this.keys,
      rotateKey: () => this.rotateKey(),
      oidcKeyPem: this.world.identity.oidcKeyPem,
      tokenIssuer: () => this.tokenIssuer,
      clientId: this.clientId,
      version: VERSION,
      storage: { url: storage, fsync, passedOver: this.world.passedOver },
      urls: () => ({ apiUrl: this.apiUrl, controlUrl: this.controlUrl }),
      isReady: () => this.isOpen,
      fixture: () => this.seeded.name,
      reset: () => this.seeded.reset(),
      seed: (fixture) => this.seeded.seed(fixture),
      openApi: () => sharedOpenApi(VERSION),
    };
  }

  /** A new key signs from now on; whoever wrote the old one down is told. */
  private async rotateKey() {
    await this.world.kept.rotateWebhookKey();
    this.options.onWebhookKey?.(this.webhookPublicKey);
  }

  private dispatcher(): Deliveries {
    const { webhookTimeoutMs, onActivity } = this.options;
    const { engine } = this.world;
    tellWhenFull(engine);
    return new Dispatcher({
      engine,
      keys: this.keys,
      targets: new WebhookTargets({
        isLoopback: () => this.isLocal,
        allowed: allowedTargetsOf(this.options),
      }),
      ...(webhookTimeoutMs !== undefined && { timeoutMs: webhookTimeoutMs }),
      onAttempt: (report) => {
        this.advances.noteAttempt(report);
        onActivity?.({ kind: "webhook", ...report });
      },
    });
  }

  private leave() {
    this.advances.abandon();
    this.log.clear();
  }

  private async deliver() {
    const toMs = this.world.engine.clock.now();
    return (await this.advances.to({ target: { toMs }, budgetMs: DEFAULT_BUDGET_MS })).webhookCount;
  }

  private surfaceDeps(deliveries: Deliveries): SurfaceDeps {
    const start = this.world.start;
    return {
      engine: this.world.engine,
      deliveries,
      files: this.world.files,
      tokenKeys: idTokenKeys({
        keyPem: this.world.identity.oidcKeyPem,
        issuer: () => this.tokenIssuer,
        sources: jwksSourcesOf(this.options),
      }),
      nextRequestId: () => {
        this.requests += 1;
        return `req-${start}-${this.requests}`;
      },
      onBug: (error, requestId) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        this.options.onAlarm?.(`${requestId} met a bug: ${text}`);
      },
      onRequest: (report) => this.options.onActivity?.({ kind: "request", ...report }),
      log: this.log,
      faults: this.faults,
      wallMs: () => performance.now(),
    };
  }
}
