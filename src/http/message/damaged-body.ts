import type { FaultEffect } from "../../contract/platform/faults.ts";
import { hostTime } from "../../machine/host-time.ts";
import { type HttpRequest, SocketRequest } from "./http-request.ts";

/** The damage of a fault to a body on its way (spec/faults.md#damaged-answers). */
export interface Damage extends Pick<FaultEffect, "cutAfterBytes" | "drip"> {
  /** Replaces the bytes by others of the same number. */
  spoil?: (bytes: Uint8Array) => Uint8Array;
  /** The connection that the body goes to; none for a caller in this process. */
  client?: ClientSide;
}

/** A client's connection, as far as a damaged body needs it. */
export interface ClientSide {
  /** Sends status and headers, which otherwise wait for the first byte of the body. */
  sendHead(): void;
  /** Closes the connection once everything written to it has left. */
  close(): void;
}

/** The connection of a request; nothing for a caller in this process. */
export const clientSideOf = (request: HttpRequest): ClientSide | undefined => {
  if (!(request instanceof SocketRequest)) return undefined;
  const { incoming: req, outgoing: res } = request;
  const close = () => {
    res.flushHeaders();
    req.socket.destroySoon();
  };
  return {
    sendHead: () => res.flushHeaders(),
    // An answer behind another one on its connection is written when its turn comes.
    close: () => (res.socket ? close() : res.once("socket", () => hostTime.setImmediate(close))),
  };
};

/** Bytes sent: at least one is missing, so that every reader notices the cut. */
const sentBytes = (whole: number, cutAfterBytes: number | undefined) =>
  cutAfterBytes === undefined ? whole : Math.min(cutAfterBytes, whole - 1);

const pause = (delayMs: number) =>
  new Promise<void>((resolve) => hostTime.setTimeout(resolve, delayMs).unref());

/**
 * The stream of a damaged body, and the length that its header promises. A cut body ends the
 * connection; in this process its stream fails instead.
 */
export const damagedBody = (
  text: string,
  { spoil, cutAfterBytes, drip, client }: Damage,
): { body: ReadableStream<Uint8Array>; length: number } => {
  const whole: Uint8Array = Buffer.from(text);
  const bytes = spoil ? spoil(whole) : whole;
  const length = bytes.length;
  const endAt = sentBytes(length, cutAfterBytes);
  let at = 0;
  let isGone = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (at < endAt) {
          if (at === 0) client?.sendHead();
          if (drip) await pause(drip.everyMs);
          if (isGone) return;
          const to = Math.min(endAt, at + (drip?.bytes ?? endAt));
          controller.enqueue(bytes.slice(at, to));
          at = to;
          if (at === length) controller.close();
          return;
        }
        // A reader through a socket is left waiting: its connection is what ends.
        if (client) client.close();
        else controller.error(new TypeError("terminated: a fault cut the answer short"));
      },
      cancel: () => {
        isGone = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, length };
};
