import type { Try } from "./hostile-requests.ts";
import { type Exchange, WireConnection } from "./wire.ts";

/** The connection of a lane, which its requests share as long as the server keeps it open. */
export class LaneConnection {
  private readonly port: number;
  private connection: WireConnection | undefined;
  /** Streams that must stay open until the next call is answered. */
  private held: WireConnection[] = [];

  constructor(port: number) {
    this.port = port;
  }

  async exchange({ sending }: Try, deadlineMs: number): Promise<Exchange> {
    const isKept = sending.end === "keep" && !sending.untilClosed;
    const kept = isKept && this.connection?.isClosed === false ? this.connection : undefined;
    const connection = kept ?? new WireConnection(this.port);
    const exchange = await connection.exchange(sending, deadlineMs);
    const isOver = exchange.isLate || exchange.answers.some((one) => one.isStream);
    const last = exchange.answers.at(-1);
    if (isKept && !isOver && last?.headers.connection !== "close") {
      if (this.connection !== connection) this.connection?.destroy();
      this.connection = connection;
    } else {
      if (this.connection === connection) this.connection = undefined;
      if (last?.isStream) this.held.push(connection);
      else connection.destroy();
    }
    return exchange;
  }

  /** Streams that were opened so far; whoever takes them closes them. */
  takeHeld(): WireConnection[] {
    return this.held.splice(0);
  }

  destroy() {
    this.connection?.destroy();
    for (const stream of this.takeHeld()) stream.destroy();
  }
}
