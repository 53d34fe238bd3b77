import { DELIVERY_BOUNDS } from "../domain/webhooks/deliveries.ts";
import { nodeFaked } from "../machine/faked-timers.ts";
import { hostTime } from "../machine/host-time.ts";
import type { AttemptAnswer } from "../runtime/ports.ts";
import type { CutOff } from "./cut-off.ts";
import { Memo } from "./memo.ts";
import { ReceiverAnswer } from "./receiver-answer.ts";
import {
  afterReads,
  type ReceiverAddress,
  type ReceiverConnection,
} from "./receiver-connections.ts";
import { certificateProblem } from "./receiver-trust.ts";
import { hasFixedAddress, LOCAL_TARGETS, reachKnown, type WebhookTargets } from "./targets.ts";

/** Characters of a header: Latin-1 without control characters. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that follow from the URL and the body. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "connection", "content-length"]);

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** HTTP Basic of the user name and password that a URL holds (spec/webhooks.md#endpoint-passwords). */
const basicOf = ({ username, password }: URL): string | undefined =>
  username === "" && password === ""
    ? undefined
    : `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}`;

/** The bytes of an attempt, head and body (spec/webhooks.md#request). */
const requestBytes = (
  { url, body, headers }: { url: string; body: Buffer; headers: Record<string, string> },
  { mayKeep }: Pick<ReceiverAddress, "mayKeep">,
): Buffer => {
  const to = new URL(url);
  const lines = [`POST ${to.pathname}${to.search} HTTP/1.1`, `host: ${to.host}`];
  const basic = basicOf(to);
  if (basic !== undefined) lines.push(`authorization: ${basic}`);
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue;
    if (!HEADER_VALUE.test(value))
      throw new Error(`Expected Latin-1 on one line in the header ${name} but found more`);
    lines.push(`${name}: ${value}`);
  }
  lines.push(`connection: ${mayKeep ? "keep-alive" : "close"}`, `content-length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
};

export interface AttemptRequest {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
  /** Time from connecting to the last byte, in wall milliseconds. */
  timeoutMs: number;
  /** Certificates as PEM that its receiver is trusted by, beside the usual authorities. */
  ca?: string | undefined;
  /** Options that trust its receiver, as a failure names them; those of a start by default. */
  wayOut?: string;
  /** The body of the answer decides, so one that is cut counts as none. */
  bodyDecides?: boolean;
  /** Aborts the attempt when the simulator stops. */
  cutOff?: CutOff;
  /** Rules for targets; by default those of a program on loopback. */
  targets?: WebhookTargets;
}

const reachedBy = (text: string): ReceiverAddress => {
  const { protocol, hostname, port } = new URL(text);
  const isSecure = protocol === "https:";
  if (!isSecure && protocol !== "http:")
    throw new Error(`Expected http: or https: but found ${protocol}`);
  // IPv6 addresses are written in brackets.
  const host = hostname.replace(/^\[|\]$/g, "");
  const reached = { isSecure, host, port: Number(port || (isSecure ? 443 : 80)) };
  return {
    ...reached,
    origin: `${protocol}//${host} ${reached.port}`,
    mayKeep: hasFixedAddress(text),
  };
};

const places = new Memo(reachedBy);

const reasonOf = ({ code, message }: NodeJS.ErrnoException, wayOut?: string) =>
  certificateProblem(code, wayOut) ?? code ?? message;

/** One writing of the request. */
interface RequestWrite {
  reached: ReceiverAddress;
  request: Buffer;
  /** A connection that has served an attempt before; a new one by default. */
  kept?: ReceiverConnection | undefined;
}

/** An attempt under way, which may take two connections. */
class Attempt {
  private readonly attempt: AttemptRequest;
  private readonly targets: WebhookTargets;
  private readonly resolve: (answer: AttemptAnswer) => void;
  private readonly startedAt = hostTime.monotonicMs();
  private readonly timeout: NodeJS.Timeout;
  private answer = new ReceiverAnswer();
  private connection: ReceiverConnection | undefined;
  private isOver = false;

  constructor(attempt: AttemptRequest, resolve: (answer: AttemptAnswer) => void) {
    this.attempt = attempt;
    this.targets = attempt.targets ?? LOCAL_TARGETS;
    this.resolve = resolve;
    this.timeout = hostTime.setTimeout(() => this.timedOut(), attempt.timeoutMs);
    attempt.cutOff?.onCut(() => this.end({ error: "ABORT_ERR" }));
  }

  async start() {
    try {
      const { url } = this.attempt;
      // An address needs no look-up, so it is judged here.
      this.targets.requireWrittenAddress(url);
      const faked = nodeFaked("nextTick");
      if (faked) throw faked;
      const reached = this.reached();
      const request = requestBytes(this.attempt, reached);
      const kept = reached.mayKeep ? await this.keptConnection(reached) : undefined;
      if (this.isOver) kept?.close();
      else this.send({ reached, request, kept });
    } catch (error) {
      this.end({ error: reasonOf(error as Error) });
    }
  }

  /** The receiver; a connection that trusts other certificates is another one. */
  private reached(): ReceiverAddress {
    const { url, ca } = this.attempt;
    const reached = places.of(url);
    return ca !== undefined && reached.isSecure
      ? { ...reached, origin: `${reached.origin} ${ca}` }
      : reached;
  }

  /**
   * A connection of an earlier attempt on which nothing has come since, not even its end. Attempts
   * that have none wait as long, so that none overtakes another.
   */
  private async keptConnection(reached: ReceiverAddress): Promise<ReceiverConnection | undefined> {
    const kept = this.targets.connections.take(reached);
    await afterReads();
    return kept?.isUsable ? kept : undefined;
  }

  private send({ reached, request, kept }: RequestWrite) {
    const { connections, lookup } = this.targets;
    const trust = this.targets.trustIn(this.attempt.ca);
    const connection = kept ?? connections.open(reached, { lookup, trust });
    const answer = new ReceiverAnswer();
    this.connection = connection;
    this.answer = answer;
    connection.begin(request, {
      take: (bytes) => {
        if (answer.take(bytes)) this.answered(connection, reached);
      },
      ended: (error) => {
        // The receiver was closing it when the request came, so nobody has read that.
        if (kept && !answer.hasBegun) return this.send({ reached, request });
        answer.connectionEnded({ isClean: error === undefined });
        if (answer.hasBegun) this.answered(connection, reached);
        else this.end({ error: error ? reasonOf(error, this.attempt.wayOut) : "ECONNRESET" });
      },
    });
  }

  private answered(connection: ReceiverConnection, reached: ReceiverAddress) {
    const { answer } = this;
    const { status: httpStatus, problem = "" } = answer;
    const isNone = httpStatus === undefined || (this.attempt.bodyDecides && problem !== "");
    if (isNone) return this.end({ error: problem });
    const bytes = answer.body();
    const isLoopback = reachKnown(connection.address) === "loopback";
    this.connection = undefined;
    if (answer.mayGoOn) this.targets.connections.keep(connection, reached);
    else connection.closeSoon();
    const isCut = bytes.length > DELIVERY_BOUNDS.replyBytes;
    this.end({
      httpStatus,
      reply: bytes.toString("utf8", 0, DELIVERY_BOUNDS.replyBytes),
      ...(isCut && { cut: { reply: bytes.length } }),
      body: bytes.toString("utf8"),
      isLoopback,
    });
  }

  private timedOut() {
    const { status } = this.answer;
    const found = status === undefined ? "" : `: ${status} came, but not the end of its body`;
    const error = `no complete answer within ${this.attempt.timeoutMs} ms${found}`;
    this.end({ error, isTimeout: true });
  }

  private end(answer: Omit<AttemptAnswer, "tookMs">) {
    if (this.isOver) return;
    this.isOver = true;
    hostTime.clearTimeout(this.timeout);
    this.connection?.close();
    this.resolve({ tookMs: Math.round(hostTime.monotonicMs() - this.startedAt), ...answer });
  }
}

/**
 * POSTs a signed body once (spec/webhooks.md#request). Redirects are not followed. Every failure
 * becomes an answer without status; nothing is thrown.
 */
export const attemptDelivery = (attempt: AttemptRequest): Promise<AttemptAnswer> =>
  new Promise((resolve) => void new Attempt(attempt, resolve).start());
