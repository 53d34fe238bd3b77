import { API_VERSION } from "../contract/core/api-version.ts";
import { defined } from "../contract/core/defined.ts";
import type { Fixture } from "../contract/platform/fixtures.ts";
import { CONTROL_BASE } from "../control/control-surface.ts";
import type { GuardOptions } from "../control/core/host-guard.ts";
import type { World } from "../control/core/world.ts";
import { feedRows } from "../control/feed/feed-rows.ts";
import { followSwitches } from "../control/past/follow-switches.ts";
import { type DryRun, NO_DELIVERIES } from "../control/seed/seed-dry-run.ts";
import type { SeedTarget } from "../control/seed/seed-run.ts";
import { SeededWorld } from "../control/seed/seed-world.ts";
import { webhookKeysOf } from "../control/webhooks/webhook-keys.ts";
import { CountedWorld } from "../coverage/world-coverage.ts";
import type { WebhookKeys } from "../crypto/webhook-signature.ts";
import { FaultInjection } from "../http/door/fault-injection.ts";
import { Idempotency } from "../http/door/idempotency.ts";
import type { CallReports } from "../http/door/served-world.ts";
import { VerifiedCallers } from "../http/door/verified-callers.ts";
import type { Activity } from "../http/log/log-entry.ts";
import type { RequestLog } from "../http/log/request-log.ts";
import { nextTurn } from "../machine/host-time.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import { Advance, DEFAULT_BUDGET_MS } from "../runtime/advance.ts";
import { AutoClock } from "../runtime/auto-clock.ts";
import { caughtUp } from "../runtime/caught-up.ts";
import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import { Feed } from "../runtime/feed.ts";
import { Timelines } from "../runtime/past/timelines.ts";
import type { Deliveries, Files, IdTokenKeys } from "../runtime/ports.ts";
import type { FixtureFile } from "../scripts/script-files.ts";
import type { OpenWorld } from "../storage/open-world.ts";
import type { StoppedWorld } from "../storage/port/held-world.ts";
import { newKeyPem } from "../storage/world/identity.ts";
import { reportOpened } from "../storage/world/recovery-report.ts";
import type { ForkOptions } from "../storage/world/world-handle.ts";
import { summaryOf } from "../storage/world/world-summary.ts";
import { VERSION } from "../version.ts";
import { collectedIn } from "../webhooks/collected.ts";
import type { DrawnKind } from "./boundary.ts";
import { dispatcherOf } from "./dispatcher-of.ts";
import { type Host, NO_HOST } from "./host.ts";
import { answeredBy, OPERATIONS } from "./mounted-surfaces.ts";
import { OwnReports } from "./own-reports.ts";
import { requestLogOf } from "./request-log-of.ts";
import { sharedDocument } from "./shared-documents.ts";
import { soleWorld } from "./sole-world.ts";
import { storageFacts } from "./storage-facts.ts";
import type { KeptCounts } from "./unloaded-world.ts";
import { wentBackText } from "./went-back-text.ts";
import { WorldUse } from "./world-use.ts";

const NAME_BEFORE_OPENING = "sandbox";
/** Turns of the event loop within which replies that wait for the journal leave. */
const TURNS_TO_ANSWER = 5;

interface WorldParts {
  world: OpenWorld;
  options: SimulatorOptions;
  host: Host;
  /** Reports of a copy, which sends nothing to anyone; none for a world of its own. */
  copyReports?: CallReports;
  /** The world that it was forked from; the default world when it is loaded. */
  origin?: RunningWorld;
  /** Set when it was loaded: what this start had counted before. */
  loaded?: KeptCounts;
}

const ENDED = "the world has ended"; // Without a reason an error with its stack is made each time.

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
  readonly autoClock: AutoClock;
  readonly feed: Feed;
  readonly log: RequestLog;
  readonly coverage: CountedWorld;
  readonly timelines: Timelines;
  readonly guard: GuardOptions;
  readonly operations = OPERATIONS;
  readonly fetch = (request: Request) => answeredBy(this.worlds, request);
  readonly keys: () => WebhookKeys;
  readonly oidcKeyPem: string;
  readonly clientId: string;
  readonly version = VERSION;
  readonly storage: World["storage"];
  readonly callers: VerifiedCallers;
  readonly tracesSeq: boolean;
  private readonly isFork: boolean;
  readonly world: OpenWorld;
  private readonly options: SimulatorOptions;
  private readonly host: Host;
  readonly seeded: SeededWorld;
  private readonly ending = new AbortController();
  private opening: Promise<void> | undefined;
  private isOpen = false;
  private readonly use = new WorldUse();

  constructor({ world, options, host, copyReports, origin, loaded }: WorldParts) {
    const { engine, identity, start } = world;
    this.world = world;
    this.options = options;
    this.host = host;
    this.engine = engine;
    this.isFork = origin !== undefined;
    this.files = world.files;
    this.keys = webhookKeysOf(world, { isRepeatable: options.deterministicSignatures ?? false });
    this.oidcKeyPem = identity.oidcKeyPem;
    this.clientId = identity.clientId;
    this.callers = host.callers;
    this.tracesSeq = options.traceSeq ?? false;
    this.tokenKeys = host.tokenKeys;
    this.storage = storageFacts(world, options);
    const { controlToken, isLoopback } = { ...host, isLoopback: () => host.isLoopback() };
    this.guard = { controlToken, isLoopback, allowHosts: options.allowHosts ?? [] };
    engine.listeners.add({
      wentBack: (byMs) => this.isFork || this.alarm(wentBackText(byMs, engine.clock.aheadMs())),
      fired: (timer) => this.tell({ kind: "timer", ...timer }),
      alarm: (message) => this.alarm(message),
      changed: (change) => this.tellCollected(change),
    });
    this.coverage = new CountedWorld(engine, host.coverage, copyReports !== undefined);
    this.deliveries = copyReports ? NO_DELIVERIES : dispatcherOf(this, host, options);
    engine.join(this.deliveries);
    const rows = feedRows({ engine, log: () => this.log, faults: () => this.faults });
    this.feed = new Feed(engine, { start, ...loaded }, rows);
    const { requests } = copyReports ? {} : world;
    const { isFork, feed } = this;
    this.log = requestLogOf({ engine, start, isFork, requests, feed, room: host.requests });
    this.reports = copyReports ?? new OwnReports(this, { start, earlier: loaded?.requests });
    this.faults =
      origin && !loaded
        ? origin.faults.forkFor(engine)
        : new FaultInjection(engine, { limitsCalls: !copyReports, from: loaded?.faults });
    const { wall } = host.boundary;
    const advance = new Advance(engine, this.deliveries, wall);
    this.advance = advance;
    this.autoClock = new AutoClock({ engine, advance, deliveries: this.deliveries });
    const leave = () => advance.abandon();
    this.timelines = new Timelines({ engine, points: world.points, wall, leave });
    followSwitches(this);
    this.seeded = new SeededWorld({
      world,
      options: host.worldOptions,
      ...(origin && { fixture: origin.fixture() }),
      past: () => this.timelines,
      trial: (dryRun) => this.trial(dryRun),
      close: () => this.close(),
      leave: () => {
        leave();
        this.log.clear();
      },
      uncounted: (work) => this.coverage.apart(work),
      deliver: () => this.deliver(),
    });
    if (origin) this.isOpen = true;
    if (!copyReports) host.boundary.watch(this, origin);
  }

  /** Name of the world, which a fork was given. */
  get name() {
    return this.engine.state.world || NAME_BEFORE_OPENING;
  }

  get worlds() {
    return this.host.worlds();
  }

  get standsIn() {
    return this.world.standsIn === true;
  }

  /** Makes a world that begins as this one is now, and serves it. */
  async fork(birth: ForkOptions): Promise<RunningWorld> {
    return this.beside(await this.world.fork(birth));
  }

  /** The worlds of its storage, where it has others. */
  get others() {
    return this.world.others;
  }

  /** Loads a world of its storage and serves it, once everything that fell due has fired. */
  async load(name: string, loaded: KeptCounts): Promise<RunningWorld> {
    const world = await this.others?.open(name);
    if (!world) throw new Error(`no world ${name}`);
    const running = this.beside(world, loaded);
    running.opening = running.catchUp();
    await running.opening;
    return running;
  }

  /** Serves a world of the same process that was read from elsewhere. */
  beside(world: OpenWorld, loaded?: KeptCounts): RunningWorld {
    const { options, host } = this;
    return new RunningWorld({ world, options, host, origin: this, ...defined({ loaded }) });
  }

  /** Facts that stand in for it while it is not in memory, and what it has counted. */
  atRest(): { facts: StoppedWorld; counts: KeptCounts } {
    const { engine, clientId, reports, feed } = this;
    const facts = summaryOf(engine.state, { clientId, clock: engine.clock.stateFromNow() });
    const requests = reports instanceof OwnReports ? reports.count : 0;
    return { facts, counts: { requests, faults: this.faults.counted(), openings: feed.openings } };
  }

  /** Whether it outlives its process. */
  get isKept() {
    return this.world.remove !== undefined;
  }

  /** Ends what continues in it and deletes it. */
  remove = () => this.close(() => [], { forGood: true });

  /** The secret of its client id. */
  get clientSecret() {
    return this.world.kept.now.clientSecret;
  }

  enter() {
    this.use.enter();
  }

  leave() {
    this.use.leave();
  }

  /** Whether nobody has called it for a span and nothing is under way in it. */
  isIdle(span: { forMs: number; nowMs: number }) {
    return this.use.isIdle(this, span);
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
    return this.host.targets.refusalOf(url);
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

  seedProgress() {
    return this.seeded.progress;
  }

  openApi(surface: "platform" | "control") {
    return sharedDocument(surface, this.engine.state);
  }

  drawn(what: DrawnKind, draw: () => string) {
    return this.host.boundary.drawn(what, draw, this);
  }

  get recordings() {
    return this.host.recordings();
  }

  /** Signs with a new key from now on, and reports its public half. */
  async rotateKey() {
    await this.world.kept.rotateWebhookKey(() => this.drawn("webhook key", newKeyPem));
    this.options.onWebhookKey?.(this.keys().current.publicPem);
  }

  /** Ends what continues in it, then the listeners that serve it, then its storage. */
  async close(
    listenersNow: () => readonly { close(): Promise<void> }[] = () => [],
    { forGood = false } = {},
  ) {
    this.advance.abandon();
    this.ending.abort(ENDED);
    this.feed.close();
    this.deliveries.close();
    // In these turns streams end, and calls that wait are answered with what is durable.
    for (let turns = 0; turns < TURNS_TO_ANSWER; turns += 1) await nextTurn();
    // A listener that was starting when this was called may be there by now.
    await Promise.all(listenersNow().map((listener) => listener.close()));
    this.coverage.close();
    this.log.close();
    await (forGood && this.world.remove ? this.world.remove() : this.world.close());
  }

  /** Tells the operator what happened; in a fork with its name. */
  tell(activity: Activity) {
    this.options.onActivity?.(this.isFork ? { ...activity, world: this.name } : activity);
  }

  alarm(message: string) {
    this.options.onAlarm?.(this.isFork ? `world ${this.name}: ${message}` : message);
  }

  private async catchUp() {
    const { engine, isNew, applyStart } = this.world;
    await caughtUp(engine);
    for (const note of reportOpened(this.world, { isFork: this.isFork })) engine.alarm(note);
    if (!isNew) applyStart();
    // A start fails when storage cannot keep it.
    await engine.journal.reached(engine.state.seq);
    this.isOpen = true;
  }

  private tellCollected(change: Change) {
    if (!this.options.onActivity || !change.emit) return;
    for (const report of collectedIn(change)) this.tell({ kind: "webhook", ...report });
  }

  /** A copy of it behind surfaces of its own, to try a fixture on. */
  private trial(dryRun: DryRun): SeedTarget {
    const { controlToken } = this.host;
    const callers = new VerifiedCallers();
    const worlds = () => sole;
    const copy: RunningWorld = new RunningWorld({
      world: dryRun.world,
      options: {},
      host: { ...this.host, ...NO_HOST, controlToken, callers, worlds },
      copyReports: dryRun.reportsTo(this.reports),
    });
    const sole = soleWorld(copy);
    return {
      ...copy.urls(),
      clientId: copy.clientId,
      clientSecret: dryRun.world.identity.clientSecret,
      controlToken,
      fetch: (request) => answeredBy(sole, request),
      close: () => copy.close(),
    };
  }

  /** Attempts every webhook that may be sent. */
  private async deliver() {
    const target = { toMs: this.engine.clock.now() };
    return (await this.advance.to({ target, budgetMs: DEFAULT_BUDGET_MS })).webhookCount;
  }
}
