import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type RunningCli, Workplace } from "../../setup/cli.ts";
import { type Chance, chanceOf } from "../../simulation/setup/chance.ts";

/** Result of a campaign; everything listed as wrong is a defect. */
export interface WorldKillsReport {
  kills: number;
  /** Acts that were answered, by kind. */
  answered: Record<string, number>;
  /** Acts that a kill cut off: the world was found before them or after them; a snapshot written. */
  cut: { before: number; after: number; saved: number };
  /** Worlds that were neither as before the act nor as after it. */
  wrong: unknown[];
}

/** Longest run of a simulator between two kills, wall milliseconds. */
const LONGEST_LIFE_MS = 400;
const MAX_WORLDS = 4;

/** The view that a client has of a world. */
interface View {
  customers: string[];
  now: string;
}

/** A world as the answers so far describe it. */
interface Known {
  view: View;
  /** The view that a reset goes back to. */
  start: View;
  kept: Map<string, View>;
  /** Customers that were made since the world last went elsewhere, with the view before each. */
  made: { id: string; before: View }[];
}

/** An act that was sent, and what it would make of its world; nothing: the world is gone. */
interface Act {
  kind: string;
  world: string;
  /** The snapshot that it writes. */
  snapshot?: string;
  /** Set when the view afterwards is known but for the id of one new customer. */
  addsCustomer?: true;
  after: View | undefined;
  send: () => Promise<{ status: number; body: { id?: string } }>;
  /** Takes over what an answer says. */
  done(body: { id?: string }): void;
}

/** Acts on worlds, one after the other, until a kill; then compares each world with what it may be. */
class WorldKills {
  readonly report: WorldKillsReport = {
    kills: 0,
    answered: {},
    cut: { before: 0, after: 0, saved: 0 },
    wrong: [],
  };
  private readonly chance: Chance;
  private readonly known = new Map<string, Known>();
  private names = 0;
  private cli: RunningCli | undefined;

  constructor(chance: Chance) {
    this.chance = chance;
  }

  /** Acts until the simulator is killed, after a span that chance picks. */
  async live(cli: RunningCli) {
    this.cli = cli;
    if (this.known.size === 0) {
      const view = await this.view("sandbox");
      this.known.set("sandbox", { view, start: view, kept: new Map(), made: [] });
    }
    const over = pause(1 + this.chance.below(LONGEST_LIFE_MS)).then(() => cli.stop("SIGKILL"));
    let act: Act | undefined;
    let isOver = false;
    while (!isOver) {
      act = this.nextAct();
      isOver = await this.perform(act);
    }
    await over;
    this.report.kills += 1;
    return act;
  }

  /** Compares every world with what it was, or may have become by the act that was cut off. */
  async check(cli: RunningCli, cut: Act | undefined) {
    this.cli = cli;
    const { body } = await cli.control("GET", "/worlds");
    const there = new Set(body.data.map(({ name }: { name: string }) => name));
    for (const name of new Set([...this.known.keys(), ...there, ...(cut ? [cut.world] : [])])) {
      const found = there.has(name as string) ? await this.view(name as string) : undefined;
      this.judge(name as string, { found, cut });
    }
    for (const [world, { kept }] of this.known) {
      const { body: listed } = await cli.control("GET", `/snapshots?world=${world}`);
      const names = new Set<string>(listed.data.map(({ name }: { name: string }) => name));
      for (const name of kept.keys())
        if (!names.has(name)) this.report.wrong.push({ world, lost: `snapshot ${name}` });
      const written = cut?.world === world ? cut.snapshot : undefined;
      if (written && names.has(written)) await this.judgeSnapshot(written, cut as Act, kept);
    }
  }

  /** A save that was cut off left the snapshot as it was or as it was to be: later loads go there. */
  private async judgeSnapshot(name: string, { world, after }: Act, kept: Map<string, View>) {
    const { control } = this.cli as RunningCli;
    const look = "look";
    await control("POST", `/worlds?world=${world}`, { name: look, from: `snapshot:${name}` });
    const found = await this.view(look);
    await control("DELETE", `/worlds/${look}`);
    const before = kept.get(name);
    if (![before, after].some((view) => isDeepStrictEqual(found, view)))
      this.report.wrong.push({ world, snapshot: name, before, found, after });
    if (!isDeepStrictEqual(found, before)) this.report.cut.saved += 1;
    kept.set(name, found);
  }

  private judge(name: string, { found, cut }: { found: View | undefined; cut: Act | undefined }) {
    const known = this.known.get(name);
    const before = known?.view;
    if (isDeepStrictEqual(found, before)) {
      if (cut?.world !== name) return;
      this.report.cut.before += 1;
      // One that leads to the view it came from may have happened, and no rewind reaches past it.
      if (known && cut.kind !== "add" && cut.kind !== "save") known.made = [];
      return;
    }
    const isAfter = cut?.world === name && fits(found, cut);
    if (!isAfter) {
      this.report.wrong.push({ world: name, before, found, cut: cut?.kind, after: cut?.after });
      return;
    }
    this.report.cut.after += 1;
    if (found) {
      const start = known?.start ?? found;
      this.known.set(name, { view: found, start, kept: known?.kept ?? new Map(), made: [] });
    } else this.known.delete(name);
  }

  /** Whether the simulator is gone. */
  private async perform(act: Act): Promise<boolean> {
    try {
      const { status, body } = await act.send();
      if (status >= 300) {
        this.report.wrong.push({ kind: act.kind, world: act.world, status, body });
        return false;
      }
      act.done(body);
      const { answered } = this.report;
      answered[act.kind] = (answered[act.kind] ?? 0) + 1;
      return false;
    } catch {
      return true;
    }
  }

  private nextAct(): Act {
    const { chance } = this;
    const world = chance.pick([...this.known.keys()]);
    const known = this.known.get(world) as Known;
    const { view, kept, made } = known;
    const draw = chance.below(14);
    const moved = (after: View) => () => {
      known.view = after;
      known.made = [];
    };
    if (draw < 2 && this.known.size < MAX_WORLDS) return this.fork(world, known);
    if (draw === 2 && world !== "sandbox")
      return this.act(
        { kind: "remove", world, after: undefined },
        {
          send: ["DELETE", `/worlds/${world}`],
          done: () => this.known.delete(world),
        },
      );
    if (draw < 5) {
      const name = chance.pick(["a", "b"]);
      return this.act(
        { kind: "save", world, snapshot: name, after: view },
        {
          send: ["PUT", `/snapshots/${name}?world=${world}`],
          done: () => kept.set(name, view),
        },
      );
    }
    if (draw < 7 && kept.size > 0) {
      const name = chance.pick([...kept.keys()]);
      const after = kept.get(name) as View;
      const send = ["POST", `/snapshots/${name}/restore?world=${world}`] as const;
      return this.act({ kind: "load", world, after }, { send, done: moved(after) });
    }
    if (draw < 9 && made.length > 0) {
      const { id, before } = chance.pick(made);
      const send = ["POST", `/clock/rewind?world=${world}`, { before: id }] as const;
      return this.act({ kind: "rewind", world, after: before }, { send, done: moved(before) });
    }
    if (draw === 9)
      return this.act(
        { kind: "reset", world, after: known.start },
        {
          send: ["POST", `/reset?world=${world}`],
          done: moved(known.start),
        },
      );
    return {
      kind: "add",
      world,
      addsCustomer: true,
      after: view,
      send: () => this.platform(world, ["POST", "/customers", { customerType: "INDIVIDUAL" }]),
      done: ({ id = "" }) => {
        known.made.push({ id, before: view });
        known.view = { ...view, customers: [...view.customers, id].sort() };
      },
    };
  }

  private fork(from: string, { view }: Known): Act {
    this.names += 1;
    const name = `w${this.names}`;
    return this.act(
      { kind: "fork", world: name, after: view },
      {
        send: ["POST", "/worlds", { name, from: `world:${from}` }],
        done: () => this.known.set(name, { view, start: view, kept: new Map(), made: [] }),
      },
    );
  }

  /** An act of the control surface. */
  private act(
    what: Pick<Act, "kind" | "world" | "snapshot" | "after">,
    { send, done }: { send: readonly [string, string, object?]; done: () => void },
  ): Act {
    const [method, path, body] = send;
    const { control } = this.cli as RunningCli;
    return { ...what, send: () => control(method, path, body), done };
  }

  private async view(world: string): Promise<View> {
    const { body } = await this.platform(world, ["GET", "/customers?limit=100"]);
    const { body: clock } = await (this.cli as RunningCli).control("GET", `/clock?world=${world}`);
    const customers = body.data.map(({ id }: { id: string }) => id).sort();
    return { customers, now: clock.now };
  }

  private async platform(world: string, [method, path, body]: [string, string, object?]) {
    const { apiUrl, clientId, clientSecret } = (this.cli as RunningCli).ready;
    const user = world === "sandbox" ? clientId : `${clientId}+${world}`;
    const response = await fetch(apiUrl + path, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${user}:${clientSecret}`)}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }
}

const fits = (found: View | undefined, { after, addsCustomer }: Act) => {
  if (!addsCustomer || !after || !found) return isDeepStrictEqual(found, after);
  const isOneMore = found.customers.length === after.customers.length + 1;
  const has = new Set(found.customers);
  return isOneMore && found.now === after.now && after.customers.every((id) => has.has(id));
};

/** Kills a simulator on file storage while it acts on its worlds, and looks at them each time. */
export const runWorldKills = async ({
  kills,
  seed,
  options = "",
}: {
  kills: number;
  seed: number;
  options?: string;
}): Promise<WorldKillsReport> => {
  const workplace = new Workplace();
  const worlds = new WorldKills(chanceOf(seed));
  const start = () =>
    workplace.start(
      `--storage file:state --clock manual --now 2026-01-05T09:00:00Z --seed w ${options}`,
    );
  try {
    let cli = await start();
    while (worlds.report.kills < kills) {
      const cut = await worlds.live(cli);
      cli = await start();
      await worlds.check(cli, cut);
    }
    const { stderr } = await cli.stop();
    if (/damaged/.test(stderr)) worlds.report.wrong.push({ stderr });
    return worlds.report;
  } finally {
    await workplace.close();
  }
};
