import { EventReader, type ReadEvent } from "../client/event-reader.ts";
import type { ControlError } from "../contract/control/errors.ts";
import { WORLD_HEADER } from "../contract/control/world-header.ts";
import { opensWorld } from "./news.ts";

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

/** Nobody answers at the address that the page came from. */
export class NotReachable extends Error {
  override readonly name = "NotReachable";
}

/** Names the world and carries the token of every call. */
export interface Access {
  token?: string | undefined;
  /** The starting one by default. */
  world?: string | undefined;
}

const BASE = "/_sim";

/** The control surface as a browser calls it. */
export class Control {
  /** Resets and rewinds that this page asked for, and that its feed has not told yet. */
  ownOpenings = 0;
  private readonly access: Access;

  constructor(access: Access) {
    this.access = access;
  }

  /** @throws Refused, NotReachable */
  get<Body>(path: string): Promise<Body> {
    return this.send("GET", path);
  }

  /** @throws Refused, NotReachable */
  async send<Body>(method: string, path: string, body?: object): Promise<Body> {
    const isOpening = opensWorld(method, path, body);
    if (isOpening) this.ownOpenings += 1;
    try {
      return await this.answerOf<Body>(method, path, body);
    } catch (error) {
      if (isOpening) this.ownOpenings -= 1;
      throw error;
    }
  }

  private async answerOf<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await this.fetch(path, {
      method,
      headers: { ...this.headers(), ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return undefined as Body;
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const value = isJson ? JSON.parse(text) : text;
    if (response.ok) return value;
    throw new Refused(
      response.status,
      isJson ? value : { error: { code: String(response.status), message: text, next: [] } },
    );
  }

  /**
   * Reads the feed until it ends.
   * @returns an error's reply; nothing once the stream has ended
   * @throws NotReachable
   */
  async follow(
    path: string,
    onEvent: (event: ReadEvent) => void,
    { after, signal }: { after?: string | undefined; signal: AbortSignal },
  ) {
    const response = await this.fetch(path, {
      headers: { ...this.headers(), ...(after !== undefined && { "last-event-id": after }) },
      signal,
    });
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
      throw new NotReachable(String(error));
    }
  }

  private headers(): Record<string, string> {
    const { token, world } = this.access;
    return {
      accept: "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(world !== undefined && { [WORLD_HEADER]: world }),
    };
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(BASE + path, init);
    } catch (error) {
      throw new NotReachable(String(error));
    }
  }
}
