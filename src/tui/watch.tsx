import { render } from "ink";
import { type ClientOptions, ControlClient } from "../client/control-client.ts";
import { App } from "./app.tsx";
import type { StoryLines } from "./detail.ts";
import { FrameWriter, type Screen } from "./frame-writer.ts";
import type { Paint } from "./line.ts";
import { type Leaving, Session } from "./session.ts";

export interface WatchOptions {
  /** The simulator to show. */
  at: ClientOptions;
  stdin: NodeJS.ReadStream;
  stdout: Screen;
  paint: Paint;
  story: StoryLines;
  ownsSimulator?: boolean;
  opens?: string | undefined;
}

/** A terminal that shows a world. */
export interface ScreenSession {
  /**
   * Resolves when the user leaves and the screen is restored; rejects with an error that broke it.
   */
  ended: Promise<Leaving>;
  leave(): void;
  /** The simulator and the world that it shows. */
  readonly at: ClientOptions;
  /** Stops drawing before the process ends, since Ink draws once more then. */
  abandon(): void;
}

/** A burst of resizes counts as one, real milliseconds. */
const RESIZE_MS = 50;

const clipboard = (text: string) =>
  `\u001b]52;c;${Buffer.from(text, "utf8").toString("base64")}\u0007`;

/** Takes over the terminal and shows a simulator until the user leaves. */
export const watch = ({ at, stdin, stdout, ...options }: WatchOptions): ScreenSession => {
  const writer = new FrameWriter(stdout, () => session.frame());
  const session = new Session({
    ...options,
    client: new ControlClient(at),
    size: { columns: writer.columns, rows: writer.rows },
    copy: (text) => writer.send(clipboard(text)),
    leave: (how) => leave(how),
  });
  let resizing: NodeJS.Timeout | undefined;
  const resized = () => {
    clearTimeout(resizing);
    resizing = setTimeout(() => {
      writer.startOver();
      session.resize({ columns: writer.columns, rows: writer.rows });
      writer.emit("resize");
    }, RESIZE_MS);
  };
  writer.open();
  stdout.on("resize", resized);
  const ink = render(<App session={session} isDrawnApart />, {
    stdin,
    stdout: writer as unknown as NodeJS.WriteStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  let left: Leaving = "leave";
  const leave = (how: Leaving = "leave") => {
    left = how;
    ink.unmount();
  };
  const run = async () => {
    try {
      await Promise.race([ink.waitUntilExit(), session.run()]);
      await ink.waitUntilExit();
      return left;
    } finally {
      clearTimeout(resizing);
      stdout.off("resize", resized);
      session.close();
      ink.unmount();
      writer.close();
    }
  };
  return {
    ended: run(),
    leave: () => leave(),
    abandon: () => writer.abandon(),
    get at() {
      return session.at;
    },
  };
};
