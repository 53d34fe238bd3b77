import { pathToFileURL } from "node:url";
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { build, createLogger, type InlineConfig } from "vite";
import { expect, test } from "vitest";

type Config = InputOptions & { output: OutputOptions };

const { default: CONFIGS } = (await import(pathToFileURL("rolldown.config.js").href)) as {
  default: Config[];
};

/** Depends on how busy the machine is. */
const OF_THE_MACHINE = "PLUGIN_TIMINGS";

/** Nothing is written here: the tests use the build that is there. */
const WRITES = /license/i;

const warningsOf = async (config: Config): Promise<string[]> => {
  const found: string[] = [];
  const plugins = ([config.plugins].flat(3) as Plugin[]).filter(({ name }) => !WRITES.test(name));
  const bundle = await rolldown({
    ...config,
    plugins,
    onLog: (level, { code = "", message }) => {
      if (level === "warn" && code !== OF_THE_MACHINE) found.push(`${code}: ${message}`);
    },
  });
  await bundle.generate(config.output);
  await bundle.close();
  return found;
};

const { CONSOLE } = (await import(pathToFileURL("bin/pack-console.mjs").href)) as {
  CONSOLE: InlineConfig;
};

/** The console's scripts, and the warnings of vite as it builds them under the name of a test. */
const consoleBuild = async () => {
  const found: string[] = [];
  const warn = (message: string) => {
    found.push(message);
  };
  const customLogger = { ...createLogger("warn"), warn, warnOnce: warn };
  const { output } = (await build({ ...CONSOLE, plugins: [], customLogger })) as {
    output: { code?: string }[];
  };
  return { warnings: found, script: output.map(({ code = "" }) => code).join("\n") };
};

test("the build warns of nothing, so that npm ci prints nothing of ours", async () => {
  expect(CONFIGS.length).toBeGreaterThan(4);
  for (const config of CONFIGS) expect(await warningsOf(config)).toEqual([]);
  const { warnings, script } = await consoleBuild();
  expect(warnings).toEqual([]);
  // React's slower build, which a build within a test once took half of: the page stayed empty.
  expect(script).toMatch(/\bjsxs\b/);
  expect(script).not.toMatch(/jsxDEV/);
});
