import { isDeepStrictEqual } from "node:util";
import type { RunningCli } from "../../setup/cli.ts";
import { tried } from "./client.ts";
import { callPlatform } from "./keyed-calls.ts";

/** The view that a client has of a world; nothing when it does not exist. */
type View = { customers: string[]; now: string } | undefined;

/**
 * A world beside the one with the traffic. A kill during an act leaves it as before or as after
 * the act; an answered act stays done.
 */
export class SideWorld {
  private cli: RunningCli | undefined;
  private readonly name: string;
  /** Views that a restart may show. */
  private allowed: View[] = [undefined];
  private start: View;
  /** Set until the view of a new fork is known. */
  private isForking = false;
  private added: { id: string; before: View } | undefined;

  constructor(name: string) {
    this.name = name;
  }

  begin(cli: RunningCli) {
    this.cli = cli;
  }

  /** Forks it off the default world, whose traffic continues: any view counts until one is seen. */
  async fork() {
    const { cli, name } = this;
    if (!cli) return;
    this.isForking = true;
    const made = await tried(cli.control("POST", "/worlds", { name, from: "world:sandbox" }));
    if (made?.status !== 201) return;
    const view = await tried(this.view(cli));
    if (view === undefined) return;
    this.isForking = false;
    this.start = view;
    this.allowed = [view];
  }

  async add() {
    const [before] = this.allowed;
    if (!this.cli || !before) return;
    const body = { customerType: "INDIVIDUAL" };
    const call = { method: "POST", path: "/customers", body, world: this.name };
    const made = await callPlatform(this.cli.ready, call);
    this.added = { id: made.body.id, before };
    this.allowed = [await this.view(this.cli)];
  }

  reset() {
    return this.turn(`/reset?world=${this.name}`, { after: this.start });
  }

  rewind() {
    const { id, before } = this.added ?? {};
    return this.turn(`/clock/rewind?world=${this.name}`, { after: before, body: { before: id } });
  }

  /** Compares the world after a restart with the views that it may have; tells a difference. */
  async wrong(cli: RunningCli): Promise<string[]> {
    const { body } = await cli.control("GET", "/worlds");
    const isThere = body.data.some(({ name }: { name: string }) => name === this.name);
    if (this.isForking && !isThere) return [];
    const found = isThere ? await this.view(cli) : undefined;
    const isRight = this.isForking
      ? found !== undefined
      : this.allowed.some((view) => isDeepStrictEqual(view, found));
    if (isThere) await cli.control("DELETE", `/worlds/${this.name}`);
    return isRight
      ? []
      : [`the world ${this.name} is ${JSON.stringify(found)}, not ${JSON.stringify(this.allowed)}`];
  }

  private async turn(path: string, { after, body }: { after: View; body?: object }) {
    if (!this.cli || after === undefined) return;
    this.allowed.push(after);
    const done = await tried(this.cli.control("POST", path, body));
    if (done && done.status < 300) this.allowed = [after];
  }

  private async view(cli: RunningCli): Promise<View> {
    const call = { method: "GET", path: "/customers?limit=100", world: this.name };
    const { status, body } = await callPlatform(cli.ready, call);
    if (status !== 200) throw new Error(`${call.path} of ${this.name} answers ${status}`);
    const { body: clock } = await cli.control("GET", `/clock?world=${this.name}`);
    const customers = body.data.map(({ id }: { id: string }) => id).sort();
    return { customers, now: clock.now };
  }
}
