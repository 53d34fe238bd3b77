import { relative } from "node:path";
import { test as base, expect as playwrightExpect } from "@playwright/test";
import { connect } from "../library/connect.ts";
import type { FixtureName } from "../library/contract-types.ts";
import type { Simulator } from "../library/simulator.ts";
import { failureReport } from "./failure-report.ts";
import { toBalance, toHaveReceived } from "./matchers.ts";
import { forkFor, isKept, keptLine, removeAllEnded, removeWithNextFork } from "./test-worlds.ts";

const DEFAULT_PORT = 4747;

/** Fixtures of `service-sim/playwright`. */
export interface SimulatorFixtures {
  /** A world of the test's own. */
  sim: Simulator;
}

/** Fixtures that a worker has once. */
export interface SharedFixtures {
  /** Address of the simulator: that of `webServer`, or of the environment. */
  simUrl: string;
  /** The default world, which all tests share. */
  sharedSim: Simulator;
}

const urlOfEnvironment = () => process.env.SERVICE_SIM_URL ?? `http://127.0.0.1:${DEFAULT_PORT}`;

/** Playwright's `test`, which gives each test `sim`: a world of its own. */
export const test = base.extend<SimulatorFixtures, SharedFixtures>({
  simUrl: [urlOfEnvironment(), { option: true, scope: "worker" }],
  sharedSim: [
    async ({ simUrl }, use) => {
      const sim = await connect(simUrl);
      await use(sim);
      await removeAllEnded();
      await sim.close();
    },
    { scope: "worker" },
  ],
  sim: async ({ sharedSim }, use, info) => {
    const { file, titlePath, title, retry, repeatEachIndex, project } = info;
    const sim = await forkFor(sharedSim, {
      file: relative(process.cwd(), file),
      titles: titlePath.slice(1),
      retry,
      repeat: repeatEachIndex,
      project: project.name,
    });
    const { world } = sim;
    await use(sim);
    const isFailed = info.status !== info.expectedStatus;
    if (isFailed && retry >= project.retries) {
      const report = await failureReport(sharedSim, { world, title });
      if (report) console.error(report.text);
    }
    if (isKept(process.env) && isFailed) console.error(keptLine(sim, title));
    else await removeWithNextFork(sim);
  },
});

/** Playwright's `expect` with matchers for worlds. */
export const expect = playwrightExpect.extend({ toHaveReceived, toBalance });

/** Options of the simulator that `webServer` starts. */
export interface WebServerOptions {
  /** 4747 by default. */
  port?: number;
  /** Fixture of the default world: the name of a bundled fixture, or a file's path. */
  fixture?: FixtureName | (string & {}) | undefined;
  seed?: string | number;
}

/**
 * A `webServer` of playwright.config that starts a simulator in memory. Workers read the config
 * too, and so learn its address, unless `SERVICE_SIM_URL` names another one.
 */
export const simulatorServer = ({
  port = DEFAULT_PORT,
  fixture,
  seed = "playwright",
}: WebServerOptions = {}): { command: string; url: string; reuseExistingServer: boolean } => {
  const origin = `http://127.0.0.1:${port}`;
  const there = process.env.SERVICE_SIM_URL || origin;
  process.env.SERVICE_SIM_URL = there;
  return {
    command: there === origin ? startOf({ port, fixture, seed }) : NONE_THERE,
    url: `${there}/_sim/ready`,
    reuseExistingServer: there !== origin || !process.env.CI,
  };
};

const startOf = ({ port, fixture, seed }: WebServerOptions) =>
  [
    `npx service-sim start --port ${port} --storage memory: --clock manual --worlds open`,
    `--seed ${seed}`,
    ...(fixture === undefined ? [] : [`--fixture ${fixture}`]),
  ].join(" ");

/** Runs where the simulator that the environment names does not answer: none is started beside it. */
const NONE_THERE = `node -e "${[
  "console.error('No simulator answers at the address in SERVICE_SIM_URL:",
  "start it, or unset SERVICE_SIM_URL')",
].join(" ")}; process.exit(1)"`;
