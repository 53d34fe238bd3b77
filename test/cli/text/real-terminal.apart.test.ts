import stringWidth from "fast-string-width";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Workplace, waitUntil } from "../../setup/cli.ts";
import { hasTmux, RealTerminal } from "../../tui/setup/tmux.ts";

if (!hasTmux)
  process.stderr.write("The tests in a real terminal are skipped: tmux is not installed\n");

const PROGRAM = `${process.execPath} ${process.cwd()}/bin/service-sim.js`;

describe.skipIf(!hasTmux).each([{ columns: 60 }])(
  "in a real terminal of $columns columns",
  ({ columns }) => {
    let place: Workplace;
    let terminal: RealTerminal;

    beforeEach(() => {
      place = new Workplace();
      terminal = new RealTerminal(place.path, { columns, rows: 50 });
    });

    afterEach(async () => {
      terminal.close();
      await place.close();
    });

    const shows = (text: string) =>
      waitUntil(`${text} on the screen`, () => terminal.unwrapped().join("\n").includes(text));

    /** Printed lines that the terminal had to wrap; typed lines hold the whole program. */
    const wrappedLines = () =>
      terminal
        .unwrapped()
        .filter((line) => stringWidth(line.trimEnd()) > columns && !line.includes(PROGRAM));

    /** Lines of the live log: a time, then the sign of what happened. */
    const logLines = () => terminal.unwrapped().filter((line) => /^[-0-9 :]+ [<>@] /.test(line));

    test("start and its live log fit", async () => {
      const options = "--clock manual --now 2026-01-05T23:50:00Z --fixture payouts-demo";
      terminal.line(`${PROGRAM} start --port 0 --seed 7 ${options}`);
      await shows("Ctrl-C stops it");
      await shows("2025-10-13/config");
      const moved = await place.run("advance 1h");
      expect(moved.code).toBe(0);
      await place.run("api GET /config");
      await shows("GET /config");
      expect(wrappedLines()).toEqual([]);
      expect(logLines().filter((line) => /clock\/advance|_sim/.test(line))).toEqual([]);
      expect(logLines().at(-1)).toMatch(
        /^01-06 \d\d:\d\d:\d\d < GET \/config +✓ 200 +\d+ ms +req-1-\d+$/,
      );
      expect(logLines().length).toBeGreaterThan(10);
    });

    test("with --verbose control calls are shown, with /_sim in their path", async () => {
      terminal.line(`${PROGRAM} start --port 0 --storage memory: --verbose`);
      await shows("2025-10-13/config");
      await place.run("clock freeze");
      await shows("PUT /_sim/clock");
      expect(wrappedLines()).toEqual([]);
    });

    test("an error, its next steps and a help fit", async () => {
      terminal.line(`${PROGRAM} requests; echo "ended $?"`);
      await shows("ended 3");
      terminal.line(`${PROGRAM} start --help`);
      await shows("Examples:");
      await shows("--seed 7");
      expect(wrappedLines()).toEqual([]);
    });
  },
);
