import { eventIn } from "../capsules/attempted-event.ts";
import type { CapsuleLine, KeysLine } from "../capsules/capsule-lines.ts";
import { type ChangeDigest, digestOfChange } from "../capsules/change-digests.ts";
import type { Capsule } from "../capsules/read-capsule.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import type { WholeReply } from "../http/message/reply.ts";
import type { Answer } from "../http/sockets/node-server.ts";
import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import { type AttemptAnswer, type IdTokenKeys, machineWall, type Wall } from "../runtime/ports.ts";
import type { OpenWorld } from "../storage/open-world.ts";
import { attemptDelivery } from "../webhooks/attempt.ts";
import type { Boundary, DrawnKind } from "../worlds/boundary.ts";
import { addImages, becomeImage } from "../worlds/world-image.ts";
import type { WorldsOfProcess } from "../worlds/worlds.ts";

/** The system clock of a replay: it stands where the capsule says. */
class ReplayWall implements Wall {
  private ms: number;
  private liveSinceMs: number | undefined;
  readonly after = machineWall.after;

  constructor(ms: number) {
    this.ms = ms;
  }

  nowMs() {
    if (this.liveSinceMs === undefined) return this.ms;
    return this.ms + machineWall.nowMs() - this.liveSinceMs;
  }

  stand(ms: number) {
    this.ms = ms;
  }

  /** Continues with the machine's time, from where it stands. */
  goLive() {
    this.liveSinceMs = machineWall.nowMs();
  }
}

type Waiting = (answer: AttemptAnswer) => void;

/** The outside world of a replay: all of it comes from the capsule, and no socket is opened. */
export class ReplayBoundary implements Boundary {
  readonly isReplay = true;
  readonly wall: ReplayWall;
  /** Domain changes so far, in their order. */
  readonly changes: (ChangeDigest & { world: string })[] = [];
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly keys = new Map<string, KeysLine["found"][]>();
  private readonly configured = new Set<string>();
  private readonly replies = new WeakMap<HttpRequest, WholeReply>();
  private readonly capsule: Capsule;
  private readonly values = new Map<DrawnKind, string[]>();
  private readonly engines = new Set<Engine>();
  private address: string | undefined;
  private isLive = false;
  constructor(capsule: Capsule) {
    this.capsule = capsule;
    this.wall = new ReplayWall(capsule.head.w);
    for (const { issuer, configured, found } of this.lines("keys")) {
      if (configured) this.configured.add(issuer);
      this.keys.set(issuer, [...(this.keys.get(issuer) ?? []), found]);
    }
    for (const { what, value } of this.lines("drawn"))
      this.values.set(what, [...(this.values.get(what) ?? []), value]);
  }

  /** Lets the worlds do what is due where the clock stands. */
  wake() {
    for (const engine of this.engines) engine.schedulePump();
  }

  found(world: OpenWorld) {
    const { beginning } = this.capsule.head;
    const [first] = this.images();
    if (beginning && first) becomeImage(world, first, beginning);
  }

  joined(worlds: object) {
    const { beginning } = this.capsule.head;
    const { wall } = this;
    if (beginning) addImages(worlds as WorldsOfProcess, this.images(), { wall, ...beginning });
  }

  drawn(what: DrawnKind, draw: () => string) {
    return this.values.get(what)?.shift() ?? draw();
  }

  answered() {}

  closing() {}

  /** From now on the machine's time and network count. */
  goLive() {
    this.isLive = true;
    this.keys.clear();
    this.address = undefined;
    this.wall.goLive();
  }

  /** Answers an attempt that is under way; false when there is none of this event. */
  answer(event: string, answer: AttemptAnswer): boolean {
    const waiting = this.waiting.get(event);
    const take = waiting?.shift();
    take?.(answer);
    return take !== undefined;
  }

  readonly send: typeof attemptDelivery = (attempt) => {
    if (this.isLive) return attemptDelivery(attempt);
    return new Promise((resolve) => {
      const event = eventIn(attempt.body);
      const waiting = this.waiting.get(event) ?? [];
      waiting.push(resolve);
      this.waiting.set(event, waiting);
      attempt.cutOff?.onCut(() => resolve({ tookMs: 0, error: "ABORTED" }));
    });
  };

  keysFrom(own: IdTokenKeys): IdTokenKeys {
    return {
      ...own,
      isConfigured: (issuer) => this.configured.has(issuer) || own.isConfigured(issuer),
      keysFor: async (issuer, isStrict) =>
        (this.keys.get(issuer)?.shift() as Awaited<ReturnType<IdTokenKeys["keysFor"]>>) ??
        own.keysFor(issuer, isStrict),
    };
  }

  advancing<Report>(_span: string, advance: () => Promise<Report>) {
    return advance();
  }

  watch(world: { name: string; engine: Engine }) {
    const { engine } = world;
    this.engines.add(engine);
    engine.listeners.add({ changed: (change) => this.noteChange(world.name, change) });
  }

  listening() {}

  /** Has links and tokens name an address. */
  standAt(url: string) {
    this.address = url;
  }

  origin() {
    return this.address;
  }

  async serve(request: HttpRequest, answer: Answer) {
    const reply = await answer(request);
    this.replies.set(request, reply);
    return reply;
  }

  /** The reply of a request, also when a fault switch lost it on its way. */
  replyTo(request: HttpRequest) {
    return this.replies.get(request);
  }

  private lines<Type extends CapsuleLine["t"]>(type: Type) {
    const isOne = (line: CapsuleLine): line is Extract<CapsuleLine, { t: Type }> => line.t === type;
    return this.capsule.lines.filter(isOne);
  }

  private images() {
    return this.lines("world").map(({ image }) => image);
  }

  private noteChange(world: string, change: Change) {
    const digest = digestOfChange(change, { version: this.capsule.head.capsule });
    if (digest) this.changes.push({ ...digest, world });
  }
}
