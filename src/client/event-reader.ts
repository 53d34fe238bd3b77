import { defined } from "../contract/core/defined.ts";
/** One server-sent event. */
export interface ReadEvent {
  event: string;
  id?: string;
  data: ReturnType<typeof JSON.parse>;
}

const fieldsOf = (frame: string) =>
  Object.fromEntries(
    frame
      .split("\n")
      // JSON has U+2028 and U+2029 as they are, at which a dot would end.
      .map((line) => /^(event|id|data): ?(.*)$/s.exec(line))
      .flatMap((field) => (field ? [[field[1], field[2]]] : [])),
  ) as { event?: string; id?: string; data?: string };

/** Puts events together from the pieces in which a stream comes; comments are passed over. */
export class EventReader {
  private rest = "";
  private readonly onEvent: (event: ReadEvent) => void;

  constructor(onEvent: (event: ReadEvent) => void) {
    this.onEvent = onEvent;
  }

  push(text: string) {
    const frames = (this.rest + text).split("\n\n");
    this.rest = frames.pop() ?? "";
    for (const frame of frames) {
      const { event, id, data } = fieldsOf(frame);
      if (event === undefined || data === undefined) continue;
      this.onEvent({ event, ...defined({ id }), data: JSON.parse(data) });
    }
  }
}
