import { EventReader, type ReadEvent } from "../client/event-reader.ts";
import { type Access, accessHeaders, noAnswer, sendByFetch } from "../client/send.ts";
import type { ControlError } from "../contract/control/errors.ts";
import { opensWorld } from "../rows/news.ts";

/** An answer of the control surface that refuses a call; its message tells what to do next. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly code: string;
  readonly next: readonly string[];

  constructor(status: number, { error }: ControlError) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.next = error.next;
  }
}

const BASE = "/_sim";

const sendFromPage = sendByFetch(
  (request) => fetch(request),
  () => "",
);

/** The control surface as a browser calls it. */
export class Control {
  /** Resets and rewinds that this page asked for, and that its feed has not told yet. */
  ownOpenings = 0;
  private readonly access: Access;

  constructor(access: Access) {
    this.access = access;
  }

  /** @throws Refused, NoAnswer */
  get<Body>(path: string, { signal }: { signal?: AbortSignal } = {}): Promise<Body> {
    return this.answerOf("GET", path, { signal });
  }

  /** @throws Refused, NoAnswer */
  async send<Body>(method: string, path: string, body?: object): Promise<Body> {
    const isOpening = opensWorld(method, path, body);
    if (isOpening) this.ownOpenings += 1;
    try {
      return await this.answerOf<Body>(method, path, { body });
    } catch (error) {
      // Without an answer it may have happened all the same.
      if (isOpening && error instanceof Refused)
        this.ownOpenings = Math.max(0, this.ownOpenings - 1);
      throw error;
    }
  }

  private async answerOf<Body>(
    method: string,
    path: string,
    { body, signal }: { body?: object | undefined; signal?: AbortSignal | undefined },
  ): Promise<Body> {
    const sent = {
      method,
      path: BASE + path,
      headers: { ...this.headers(), ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
      signal,
    };
    const { status, body: answer } = await sendFromPage(sent);
    if (status < 400) return answer as Body;
    if (typeof answer === "object") throw new Refused(status, answer as ControlError);
    const message = String(answer ?? "");
    throw new Refused(status, { error: { code: String(status), message, next: [] } });
  }

  /**
   * Reads the feed until it ends.
   * @returns an error's reply; nothing once the stream has ended
   * @throws NoAnswer
   */
  async follow(
    path: string,
    onEvent: (event: ReadEvent) => void,
    { after, signal }: { after?: string | undefined; signal: AbortSignal },
  ) {
    const headers = { ...this.headers(), ...(after !== undefined && { "last-event-id": after }) };
    const lost = (cause: unknown) => {
      throw noAnswer({ method: "GET", path: BASE + path, headers }, cause);
    };
    const response = await fetch(BASE + path, { headers, signal }).catch(lost);
    if (!response.ok || !response.body)
      return { status: response.status, body: await response.json().catch(() => undefined) };
    const reader = new EventReader(onEvent);
    const bytes = response.body.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await bytes.read();
        if (done) return undefined;
        reader.push(decoder.decode(value, { stream: true }));
      }
    } catch (error) {
      return lost(error);
    }
  }

  private headers(): Record<string, string> {
    return { accept: "application/json", ...accessHeaders(this.access) };
  }
}
