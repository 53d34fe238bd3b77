import type { ClientRequest, IncomingMessage } from "node:http";
import { announcedBytes, cutShort } from "../body/request-body.ts";
import { type HttpRequest, SocketRequest } from "../message/http-request.ts";
import { keepBody, keptBody } from "../message/kept-body.ts";

/** Largest body of a socket that is read before it is sent on. */
export const KEPT_BODY_BYTES = 64 * 1024;

const EMPTY = Buffer.alloc(0);

/** A request's body on its way to another process (spec/store.md#hops). */
export class HopBody {
  /** The whole of it, where it is in memory. */
  readonly bytes: Buffer | undefined;
  private readonly stream: IncomingMessage | undefined;
  private isSpent = false;

  constructor(content: { bytes: Buffer } | { stream: IncomingMessage }) {
    this.bytes = "bytes" in content ? content.bytes : undefined;
    this.stream = "stream" in content ? content.stream : undefined;
  }

  /** Tells whether it can be sent again, or read here: a stream only until it was sent. */
  get isRepeatable() {
    return !this.isSpent;
  }

  /** Sends it as the body of a request, which it ends. */
  sendTo(sent: ClientRequest) {
    if (this.bytes) return this.bytes.length > 0 ? sent.end(this.bytes) : sent.end();
    this.isSpent = true;
    return this.stream?.pipe(sent);
  }
}

/** Reads a stream to its end; nothing when it is larger than what is kept, and then all is in it. */
const readByTurns = (stream: IncomingMessage) =>
  new Promise<Buffer | "cut short" | undefined>((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (read: Buffer | "cut short" | undefined) => {
      stream.off("readable", take).off("end", end).off("close", cut).off("error", cut);
      resolve(read);
    };
    const take = () => {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= KEPT_BODY_BYTES) continue;
        stream.unshift(Buffer.concat(chunks));
        return done(undefined);
      }
    };
    const end = () => done(Buffer.concat(chunks));
    const cut = () => done("cut short");
    stream.on("readable", take).on("end", end).on("close", cut).on("error", cut);
  });

const readSmall = async (stream: IncomingMessage) => {
  await undefined;
  if (stream.destroyed && !stream.complete) return "cut short";
  if (stream.complete && stream.readableLength <= KEPT_BODY_BYTES) return stream.read() ?? EMPTY;
  return readByTurns(stream);
};

const hasBody = (request: SocketRequest) =>
  announcedBytes(request) > 0 || request.headers.get("transfer-encoding") !== null;

/** Reads the body of a caller in this process, which has it in memory anyway. */
const readHere = async ({ body }: HttpRequest): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const read = async (request: HttpRequest): Promise<Buffer | undefined> => {
  if (!(request instanceof SocketRequest)) return readHere(request);
  if (!hasBody(request)) return EMPTY;
  if (request.incoming.readableEnded) throw new Error("The body was read and not kept");
  if (announcedBytes(request) > KEPT_BODY_BYTES) return undefined;
  const found = await readSmall(request.incoming);
  return found === "cut short" ? cutShort() : found;
};

/**
 * The body of a request, ready to be sent to another process or read here. What the door has read
 * is taken as it was kept; a body over 64 KiB that nobody has read streams on.
 * @throws Refusal when it broke off; Error when it is over 1 MiB and was read before
 */
export const hopBodyOf = async (request: HttpRequest): Promise<HopBody> => {
  const bytes = keptBody(request) ?? (await read(request));
  if (!bytes) return new HopBody({ stream: (request as SocketRequest).incoming });
  keepBody(request, bytes);
  return new HopBody({ bytes });
};
