import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** States of a link, as a network has them. */
export const LINK_FAULTS = ["reset", "swallow", "one-way", "late", "slow"] as const;

export type LinkFault = (typeof LINK_FAULTS)[number];

const LATE_MS = 200;
const SLOW_BYTES_PER_MS = 10;

/** The link of one process to the database: each byte goes through it. */
export class LinkRelay {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private state: LinkFault | "open" = "open";

  private constructor(target: number) {
    this.server = createServer((near) => this.join(near, target));
  }

  static async start(target: number): Promise<LinkRelay> {
    const relay = new LinkRelay(target);
    await new Promise<void>((resolve) => relay.server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks the link until it is mended. */
  break(fault: LinkFault): void {
    this.state = fault;
    if (fault === "reset") this.endAll();
  }

  /** Mends the link. Connections that lost bytes are reset, as their two ends would find out. */
  mend(): void {
    const lost = this.state === "swallow" || this.state === "one-way";
    this.state = "open";
    if (lost) this.endAll();
  }

  async close(): Promise<void> {
    this.endAll();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private endAll() {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  private join(near: Socket, target: number) {
    if (this.state === "reset") return near.resetAndDestroy();
    const far = connect(target, "127.0.0.1");
    const end = () => {
      for (const socket of [near, far]) {
        this.sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) this.sockets.add(socket.on("close", end).on("error", end));
    this.pass(near, far, false);
    this.pass(far, near, true);
  }

  private pass(from: Socket, to: Socket, isAnswer: boolean) {
    let freeAtMs = 0;
    from.on("data", (bytes) => {
      const { state } = this;
      if (state === "swallow" || (state === "one-way" && isAnswer)) return;
      const nowMs = performance.now();
      const takesMs = state === "slow" ? bytes.length / SLOW_BYTES_PER_MS : 0;
      const dueMs = Math.max(freeAtMs, nowMs + (state === "late" ? LATE_MS : 0)) + takesMs;
      // Bytes stay in their order when the link gets faster.
      if (dueMs <= nowMs) {
        to.write(bytes);
        return;
      }
      freeAtMs = dueMs;
      setTimeout(() => to.destroyed || to.write(bytes), dueMs - nowMs);
    });
  }
}
