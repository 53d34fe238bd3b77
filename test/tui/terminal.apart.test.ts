import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Workbench } from "../cli/setup/workbench.ts";
import { type RunningCli, waitUntil } from "../setup/cli.ts";
import { Receiver } from "../setup/receiver.ts";
import { hasTmux, RealTerminal } from "./setup/tmux.ts";

if (!hasTmux)
  process.stderr.write("The tests in a real terminal are skipped: tmux is not installed\n");

const NOT_ON_SCREEN = { isAlternate: false, hasCursor: true };

describe.skipIf(!hasTmux)("in a real terminal", () => {
  let place: Workbench;
  let terminal: RealTerminal;

  const openTerminal = () => {
    terminal = new RealTerminal(place.path, { columns: 120, rows: 36 });
  };

  const shows = (text: string | RegExp) =>
    waitUntil(`${text} on the screen:\n${terminal.screen()}`, () =>
      typeof text === "string" ? terminal.screen().includes(text) : text.test(terminal.screen()),
    );

  const program = `${process.execPath} ${process.cwd()}/bin/service-sim.js`;

  /** Opens the screen; the shell keeps its pid and prints its exit code. */
  const openTui = async () => {
    terminal.line("echo before");
    await shows("before");
    terminal.line(`sh -c 'echo $$ > pid; exec ${program} tui'; echo "ended $?"`);
    await shows("✓ live");
    expect(terminal.state()).toEqual({ isAlternate: true, hasCursor: false });
  };

  const pid = () => Number(readFileSync(place.file("pid"), "utf8"));

  /** The restored terminal: its earlier text, then the prompt. */
  const isRestored = async (code: number | RegExp) => {
    await shows(typeof code === "number" ? `ended ${code}` : code);
    expect(terminal.state()).toEqual(NOT_ON_SCREEN);
    expect(terminal.screen()).toMatch(/^(.*\n)*(\$ )?before\n/);
    terminal.line("stty -a | grep -o '.icanon\\|.echo ' | head -2; echo typed");
    await shows(/\ntyped\n/);
    expect(terminal.screen()).not.toContain("-icanon");
  };

  describe("each with a simulator of its own:", () => {
    beforeEach(() => {
      place = new Workbench();
      openTerminal();
    });

    afterEach(async () => {
      terminal.close();
      await place.close();
    });

    test("an agent's action is approved, its webhooks are seen, and q leaves all as it was", async () => {
      const receiver = await new Receiver().start();
      const sim = await place.start(
        `--storage file:.service-sim --fixture agent-demo --webhook-endpoint ${receiver.url}`,
      );
      await openTui();
      await shows("! TRANSFER_OUT");
      terminal.keys("2", "A");
      await shows("Approve this?");
      await shows("2,225.00 USD → 1,900.00 USD");
      terminal.keys("Enter");
      await shows(/is APPROVED, its payment COMPLETED/);
      await shows(/✓ 200 .* OUTGOING_PAYMENT\.COMPLETED/);
      terminal.keys("3", "Enter");
      await shows("verifies with key");
      terminal.keys("Escape");
      await shows("3 Webhooks");
      terminal.keys("q");
      await isRestored(0);
      await sim.stop();
      await receiver.stop();
    });

    test("a newcomer sets the endpoint, and finds customers, at 80x24 and 60x15", async () => {
      const receiver = await new Receiver().start();
      const sim = await place.start("--storage file:.service-sim --fixture agent-demo");
      terminal.resize(80, 24);
      await openTui();
      await shows("no endpoint");
      terminal.keys("E");
      await shows("your receiver, like http://127.0.0.1:3000/webhooks");
      terminal.keys(receiver.url);
      await shows(`url ${receiver.url}_`);
      terminal.keys("Enter");
      await shows("a TEST webhook is on its way");
      await shows(/✓ 200 .* TEST/);
      terminal.resize(60, 15);
      await shows("3 Webhooks");
      terminal.keys("[");
      await shows("4 Cards");
      terminal.keys("[");
      await shows(/▸ ✓ APPROVED/);
      terminal.keys("Enter");
      await shows(/Why › Customer:|Customers › Customer:/);
      terminal.keys("Escape");
      await shows("4 Customers");
      terminal.keys("?");
      await shows(/F U +add, remove fault/);
      terminal.keys("x");
      await shows("4 Customers");
      terminal.keys("q");
      await isRestored(0);
      await sim.stop();
      await receiver.stop();
    });

    test("a simulator that is killed is waited for, and seen again when it is back", async () => {
      const first = await place.startProcess("--storage file:.service-sim --fixture agent-demo");
      const { port } = first.ready;
      await openTui();
      await first.stop("SIGKILL");
      await shows("No answer from");
      place.command(`start --storage file:.service-sim --port ${port} --json`);
      await shows("✓ live");
      await shows("! TRANSFER_OUT");
      terminal.keys("q");
      await isRestored(0);
    });

    test("start --tui is simulator and screen in one; leaving asks, and stops it", async () => {
      terminal.line("echo before");
      await shows("before");
      terminal.line(`${program} start --tui --port 0 --fixture agent-demo; echo "ended $?"`);
      await shows("! TRANSFER_OUT");
      expect(terminal.state().isAlternate).toBe(true);
      terminal.keys("q");
      await shows("Leave and stop the simulator?");
      terminal.keys("Enter");
      await isRestored(0);
      expect((await place.run("status")).code).toBe(3);
    });

    test("--plain writes lines, and asks about what waits", async () => {
      await place.start("--storage file:.service-sim --fixture agent-demo");
      terminal.line(`${program} tui --plain; echo "ended $?"`);
      await shows(/approve AgentAction:…\w{6}\? y\/n/);
      expect(terminal.state()).toEqual(NOT_ON_SCREEN);
      terminal.line("y");
      await shows("is APPROVED");
      terminal.keys("C-c");
      await shows("ended 0");
    });
  });

  describe("with a simulator that nobody changes:", () => {
    let sim: RunningCli;

    beforeAll(async () => {
      place = new Workbench();
      sim = await place.start("--storage file:.service-sim --fixture agent-demo");
    });

    beforeEach(openTerminal);

    afterEach(() => terminal.close());

    afterAll(() => place.close());

    test("it fits every size that it is given, and comes back from each", async () => {
      await openTui();
      terminal.resize(80, 24);
      await shows("━━ 1 Payments ━━ 2, 0 open ━");
      terminal.resize(60, 15);
      await shows("2 Approvals 1!");
      terminal.resize(40, 8);
      await waitUntil("the newest alone", () => !terminal.screen().includes("Approvals"));
      await shows("< ✓ 201");
      terminal.resize(120, 36);
      await shows("above threshold 200.00 USD");
      const linesWith = (text: string) =>
        terminal
          .screen()
          .split("\n")
          .filter((line) => line.includes(text)).length;
      // A terminal may be read while it is drawn; what a smaller size left would stay.
      await waitUntil(
        "one screen",
        () => linesWith("1 Payments") === 1 && linesWith("q quit") === 1,
      );
      terminal.keys("C-c");
      await isRestored(0);
    });

    test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
      "%s leaves all as it was",
      async (signal) => {
        await openTui();
        process.kill(pid(), signal);
        await isRestored(0);
      },
    );

    test("a crash leaves all as it was, and tells what broke", async () => {
      writeFileSync(
        place.file("bug.cjs"),
        `setInterval(() => {
          if (require("node:fs").existsSync("break")) throw new Error("broken on purpose");
        }, 50).unref();`,
      );
      terminal.line("export NODE_OPTIONS=--require=./bug.cjs");
      await openTui();
      writeFileSync(place.file("break"), "");
      await shows("broken on purpose");
      await isRestored(/ended [1-9]/);
    });

    test("without colours, in ASCII: the same words", async () => {
      terminal.line("export NO_COLOR=1");
      terminal.line(`${program} tui --ascii; echo "ended $?"`);
      await shows("+ live");
      expect(terminal.screen()).toMatch(/^[ -~\n]*$/);
      expect(terminal.screen()).toContain("! TRANSFER_OUT");
      terminal.keys("q");
      await shows("ended 0");
    });

    test("s leaves for lines on the normal screen, any key comes back, ctrl-c does not", async () => {
      await openTui();
      terminal.keys("s");
      await shows("press any key to go back");
      expect(terminal.state()).toEqual(NOT_ON_SCREEN);
      await fetch(`${sim.ready.apiUrl}/quotes`);
      await shows(/GET \/quotes +✗ 405/);
      terminal.keys("x");
      await shows("✓ live");
      expect(terminal.state()).toEqual({ isAlternate: true, hasCursor: false });
      terminal.keys("s");
      await shows(/press any key(.|\n)*press any key/);
      terminal.keys("C-c");
      await isRestored(0);
    });
  });
});
