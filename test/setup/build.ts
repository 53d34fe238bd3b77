import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const { isBuilt } = createRequire(import.meta.url)("../../bin/build-record.js") as {
  isBuilt(): boolean;
};

/**
 * Builds what the tests of the project `system` drive, unless the build there has the contents of
 * the sources. `SERVICE_SIM_TEST_BUILD=skip` takes the build as it is.
 */
export const setup = () => {
  if (process.env.SERVICE_SIM_TEST_BUILD === "skip" || isBuilt()) return;
  execFileSync("npm", ["run", "build", "--silent"], { stdio: "inherit" });
};
