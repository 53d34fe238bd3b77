import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const newest = (files: string[]) => Math.max(...files.map((file) => statSync(file).mtimeMs));

/**
 * Builds the command line when a source is newer, since its tests run the built one; an option
 * skips it.
 */
export const setup = () => {
  if (process.env.SERVICE_SIM_TEST_BUILD === "skip") return;
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  const sources = [...files.map((name) => join("src", name)), "package.json", "rolldown.config.js"];
  const isFresh = existsSync("dist/cli.cjs") && newest(["dist/cli.cjs"]) >= newest(sources);
  if (!isFresh) execFileSync("npm", ["run", "build", "--silent"], { stdio: "inherit" });
};
