import { randomBytes } from "node:crypto";
import { recordingsOf } from "./capsules/process-recordings.ts";
import { sendByFetch } from "./client/send.ts";
import { LOOPBACK } from "./contract/core/loopback.ts";
import { showAdvance } from "./control/clock.ts";
import { idTokenKeys, type JwksSource } from "./control/id-token-keys.ts";
import { statusOf } from "./control/status.ts";
import { coverageDirectory } from "./coverage/coverage-file.ts";
import { CoverageTotals } from "./coverage/world-coverage.ts";
import { instant } from "./domain/core/draft.ts";
import { parseDuration } from "./domain/core/durations.ts";
import { revisionOf } from "./domain/core/revision.ts";
import { VerifiedCallers } from "./http/door/verified-callers.ts";
import { LogRoom } from "./http/log/log-room.ts";
import { autoPorts, onFirstFree } from "./http/sockets/auto-port.ts";
import { fetchFrom } from "./http/sockets/in-process.ts";
import {
  type Listener,
  type ListenOptions,
  listenConveniently,
  listenPlainly,
} from "./http/sockets/listen.ts";
import type { Answer } from "./http/sockets/node-server.ts";
import { SimulatorClosed } from "./library/api-error.ts";
import { tellAtCaller } from "./library/at-caller.ts";
import type { AdvanceReport } from "./library/contract-types.ts";
import { forkOf } from "./library/forked-world.ts";
import { requireArguments } from "./library/member-arguments.ts";
import { ReachedWorld } from "./library/reached-world.ts";
import type { ForkOptions, Simulator } from "./library/simulator.ts";
import { WorldCalls } from "./library/world-calls.ts";
import type { LocalSimulator } from "./local-simulator.ts";
import { nodeFaked } from "./machine/faked-timers.ts";
import { workingFolder } from "./machine/working-folder.ts";
import {
  OptionError,
  requireListenForms,
  type SimulatorOptions,
} from "./options/simulator-options.ts";
import { drainMsOf, guessableAt, isLocalPlace, worldOptionsOf } from "./options/world-options.ts";
import { DEFAULT_BUDGET_MS } from "./runtime/advance.ts";
import type { FixtureFile } from "./scripts/script-files.ts";
import { type SimulatorSummary, showOnly } from "./simulator-summary.ts";
import type { OpenWorld } from "./storage/open-world.ts";
import { portFolderOf } from "./storage/port-folder.ts";
import { reportRecovery } from "./storage/world/recovery-report.ts";
import type { StorageUrl } from "./storage/world/storage-url.ts";
import type { SharedStart } from "./storage/world/world-handle.ts";
import { ProcessLimiter } from "./webhooks/attempt-limiter.ts";
import { WebhookTargets } from "./webhooks/targets.ts";
import { allowedOriginsOf, allowedTargetsOf } from "./worlds/allowed-callers.ts";
import { forPages } from "./worlds/allowed-pages.ts";
import type { Boundary } from "./worlds/boundary.ts";
import { sharedControlToken } from "./worlds/hops.ts";
import type { Host } from "./worlds/host.ts";
import { LocalWorlds } from "./worlds/local-worlds.ts";
import { mountedSurfaces } from "./worlds/mounted-surfaces.ts";
import type { PeerListener } from "./worlds/peer-listener.ts";
import { RunningWorld } from "./worlds/running-world.ts";
import { SharedWorlds } from "./worlds/shared-worlds.ts";
import { worldBoundsOf } from "./worlds/world-bounds.ts";
import type { WorldsOfProcess } from "./worlds/worlds.ts";

/** Paths of a start, made whole before anything waits: the program may change its folder later. */
export interface Places {
  storage: StorageUrl;
  jwks: readonly JwksSource[];
}

/** The process of a simulator: its app, listener, options and origin, before one world. */
export class RunningSimulator extends WorldCalls implements LocalSimulator {
  // Printed before its fields, in logs and in failed assertions.
  static override readonly name: string = "Simulator";
  readonly controlToken: string;
  readonly opened: LocalSimulator["opened"];
  readonly drain = (skip?: AbortSignal) => this.worlds.drain.run(skip);
  private readonly options: SimulatorOptions;
  private readonly places: Places;
  private readonly boundary: Boundary;
  private readonly kept: OpenWorld["kept"];
  private readonly worlds: WorldsOfProcess;
  private readonly answer: Answer;
  private readonly listeners: Listener[] = [];
  private readonly sharedStart: SharedStart | undefined;
  private peer: PeerListener | undefined;
  private readonly recordings: ReturnType<typeof recordingsOf>;
  private readonly coverageTotals = new CoverageTotals(coverageDirectory());
  protected readonly reached: ReachedWorld;
  protected origin = "http://127.0.0.1";
  private isLocal: boolean;
  private isClosed = false;

  constructor(
    world: OpenWorld,
    { places, ...options }: SimulatorOptions & { places: Places },
    { boundary, inner }: { boundary: Boundary; inner: Boundary },
  ) {
    super();
    const { identity, isNew, recovery, passedOver, asideIn, earlierOwner: toldBefore } = world;
    const { sharedStart } = world;
    this.sharedStart = sharedStart;
    // A call may be answered by any process of a store.
    this.controlToken = sharedStart
      ? sharedControlToken(sharedStart.shared.key)
      : randomBytes(18).toString("base64url");
    this.options = options;
    this.places = places;
    this.boundary = boundary;
    this.kept = world.kept;
    this.isLocal = isLocalPlace(options);
    const { clientId, clientSecret } = identity;
    const { controlToken } = this;
    const own = () => ({ clientSecret, controlToken });
    this.recordings = recordingsOf(boundary, { inner, options, own, origin: () => this.origin });
    const send = sendByFetch(
      (request) => this.fetch(request),
      () => this.origin,
    );
    this.reached = new ReachedWorld(send, {
      clientId,
      clientSecret,
      controlToken: this.controlToken,
    });
    const aside = asideIn !== undefined && { asideIn };
    const notes = [...(toldBefore === undefined ? [] : [toldBefore]), ...reportRecovery(recovery)];
    this.opened = {
      isNew: isNew && !world.standsIn,
      seed: identity.seed,
      ...recovery,
      told: notes,
      passedOver,
      ...aside,
    };
    const host = this.host(world);
    const serve = (opened: OpenWorld) => new RunningWorld({ world: opened, options, host });
    world.session?.onRemade?.(() => options.onStateMadeAgain?.());
    const bounded = { bounds: worldBoundsOf(options), wall: this.boundary.wall };
    this.worlds = sharedStart
      ? new SharedWorlds(serve(world), bounded, {
          start: sharedStart,
          place: world.session?.place ?? "",
          serve,
        })
      : new LocalWorlds(serve(world), bounded);
    this.worlds.drain.forMs = drainMsOf(options);
    const answer = mountedSurfaces(this.worlds);
    const served: Answer = (request) => this.boundary.serve(request, answer);
    const nowMs = () => this.running.engine.clock.now();
    this.answer = forPages(served, { origins: allowedOriginsOf(options), nowMs });
    showOnly(this, () => this.toJSON());
  }

  /** The default world; what stands in for it while another process serves it. */
  private get running(): RunningWorld {
    return this.worlds.starting;
  }

  /** Answers the other processes of its store. */
  answerPeers(peer: PeerListener) {
    const { shared } = this.sharedStart ?? {};
    this.peer = peer;
    if (shared) peer.serve(this.answer, { process: shared.process, key: shared.key });
  }

  async open(fixture: FixtureFile | undefined) {
    await this.running.open(fixture);
    await this.worlds.findKept();
    this.boundary.joined(this.worlds);
  }

  get world() {
    return this.running.engine.state.world;
  }

  get revision() {
    return revisionOf(this.running.engine.state);
  }

  override async ready() {
    this.requireOpen();
    try {
      await this.running.opened();
    } catch (error) {
      this.running.giveUp(error);
      await this.close();
      throw error;
    }
  }

  /** Has the run written down until it is closed; a simulator whose capsule cannot be is closed. */
  async writeTo(file: string) {
    try {
      // What fell due meanwhile has happened: it belongs to the state.
      await this.ready();
      await this.recordings.writeTo(file);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get now() {
    return instant(this.running.engine.clock.now());
  }

  get webhookPublicKey() {
    return this.running.keys().current.publicPem;
  }

  override status() {
    this.requireOpen();
    return statusOf(this.running);
  }

  async fetch(request: Request): Promise<Response> {
    requireArguments("fetch", [request]);
    return this.answerTo(request);
  }

  async fork(name?: string, options?: ForkOptions): Promise<Simulator> {
    const { reached, origin, revision, webhookPublicKey } = this;
    const fetch = (request: Request, headers?: Headers) => this.answerTo(request, headers);
    return forkOf({ reached, origin, revision, webhookPublicKey, fetch }, name, options);
  }

  override async advance(span: string): Promise<AdvanceReport> {
    this.requireOpen();
    requireArguments("advance", [span]);
    if (this.running.standsIn) return super.advance(span);
    const byMs = parseDuration(span);
    if (byMs === undefined)
      throw new OptionError(
        `Expected a duration like 90s, 6m, 1h30m, 7d or PT6M but found "${span}"`,
      );
    // Not over the app: it works while a test fakes what Node.js needs to read bodies.
    const { advance, engine } = this.running;
    const called = `advance ${span}`;
    const move = () => advance.to({ target: { byMs }, budgetMs: DEFAULT_BUDGET_MS, called });
    const report = await this.boundary.advancing(span, move);
    await engine.journal.reached(engine.state.seq);
    return showAdvance(report, this.running);
  }

  async listen(listenOptions: ListenOptions = {}) {
    this.requireOpen();
    const faked = nodeFaked("nextTick");
    if (faked) throw faked;
    requireListenForms(listenOptions);
    const { port = 0, conveniences, isShared } = listenOptions;
    const { host = this.options.host ?? LOOPBACK } = listenOptions;
    const place = { host, tunnel: conveniences?.tunnel ?? this.options.tunnel ?? false };
    const guessable = guessableAt(place, this.options, this.kept.now);
    const listener = await onFirstFree(this.portsFor(port), (freePort) =>
      conveniences
        ? listenConveniently(this.answer, { port: freePort, host, conveniences })
        : listenPlainly(this.answer, { port: freePort, host, isShared }),
    );
    this.isLocal = isLocalPlace(place) && (this.listeners.length === 0 || this.isLocal);
    this.listeners.push(listener);
    this.origin = listener.url;
    this.boundary.listening(listener.url);
    return { url: listener.url, port: Number(new URL(listener.url).port), guessable };
  }

  /** Its address, world and clock: what a log or a failed assertion may show. */
  toJSON(): SimulatorSummary {
    const { engine } = this.running;
    const place = this.listeners.length > 0 ? this.origin : "in this process";
    const address = this.isClosed ? `${place}, closed` : place;
    const now = new Date(engine.clock.now()).toISOString();
    return { address, world: engine.state.world, clock: `${now}, ${engine.clock.mode}` };
  }

  override async close() {
    const faked = this.listeners.length > 0 && !this.isClosed && nodeFaked("nextTick");
    if (faked) throw faked;
    await super.close();
  }

  protected async end() {
    this.isClosed = true;
    this.boundary.closing();
    const others = this.worlds.close();
    // The default world holds the lock of the directory in which the others still write.
    const ended = { close: () => others.catch(() => {}) };
    try {
      await this.running.close(() => [...this.listeners, ended]);
      await others;
    } finally {
      await this.peer?.close();
      await this.sharedStart?.leave();
    }
  }

  private requireOpen() {
    if (this.isClosed) throw new SimulatorClosed();
  }

  private async answerTo(request: Request, headers?: Headers) {
    this.requireOpen();
    return fetchFrom(this.answer, request, headers);
  }

  private portsFor(port: number | "auto") {
    if (port !== "auto") return [port];
    return autoPorts(portFolderOf(this.places.storage, workingFolder()));
  }

  private host({ identity }: OpenWorld): Host {
    const { options, places } = this;
    return {
      controlToken: this.controlToken,
      boundary: this.boundary,
      coverage: this.coverageTotals,
      origin: () => this.boundary.origin() ?? this.origin,
      isLocal: () => this.isLocal,
      isLoopback: () => this.listeners.length === 0 || this.isLocal,
      callers: new VerifiedCallers(this.options.productionPrefixes),
      worldOptions: {
        ...worldOptionsOf(options),
        storage: places.storage,
        wall: this.boundary.wall,
      },
      tokenKeys: this.boundary.keysFrom(
        idTokenKeys({
          keyPem: identity.oidcKeyPem,
          issuer: () => this.running.tokenIssuer(),
          sources: places.jwks,
        }),
      ),
      targets: new WebhookTargets({
        isLoopback: () => this.isLocal,
        allowed: allowedTargetsOf(options),
        isInsecure: options.insecureWebhooks ?? false,
      }),
      attempts: new ProcessLimiter(),
      recordings: () => this.recordings,
      requests: new LogRoom(),
      worlds: () => this.worlds,
    };
  }
}

tellAtCaller(RunningSimulator);
