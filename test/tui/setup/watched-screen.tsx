import { render } from "ink-testing-library";
import { onTestFinished } from "vitest";
import { ControlClient } from "../../../src/client/control-client.ts";
import { App } from "../../../src/tui/app.tsx";
import { Session, type SessionOptions } from "../../../src/tui/session.ts";
import { until } from "../../runtime/setup/turns.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";

/** A simulator that ends with the test. */
export const startWorld = async (options = {}) => {
  const world = await startTestSimulator(options);
  onTestFinished(() => world.sim.close());
  return world;
};

/** A session over a real connection, drawn by Ink on a screen of a hundred columns. */
export const watchAt = (url: string, options: Partial<SessionOptions> = {}) => {
  const copied: string[] = [];
  let isLeft = false;
  const session = new Session({
    client: new ControlClient({ url }),
    size: { columns: 100, rows: 30 },
    paint: { color: false, ascii: false },
    busyGatherMs: 10,
    story: (story) => [`story of ${(story as { id: string }).id}`],
    copy: (text) => copied.push(text),
    leave: () => {
      isLeft = true;
    },
    ...options,
  });
  void session.run();
  const drawn = render(<App session={session} />);
  onTestFinished(() => {
    drawn.unmount();
    session.close();
  });
  const screen = () => drawn.lastFrame() ?? "";
  const shows = (text: string) => until(`"${text}" on the screen`, () => screen().includes(text));
  return { screen, shows, press: drawn.stdin.write, copied, isLeft: () => isLeft, session };
};
