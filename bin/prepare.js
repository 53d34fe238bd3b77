// Runs after `npm ci` and before packing: builds dist/ when it is not built, and says why when it cannot.
const { spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { isBuilt } = require("./build-record.js");

const root = join(__dirname, "..");
const hasBuilder = existsSync(join(root, "node_modules", "rolldown"));

if (!hasBuilder) {
  console.error(
    "service-sim was not built: the development packages are missing " +
      "(NODE_ENV=production or --omit=dev).\n" +
      "next   npm ci --include=dev",
  );
} else if (!isBuilt()) {
  // What the bundler tells of its chunks matters only when it fails.
  const { status, stdout } = spawnSync("npm", ["run", "build", "--silent"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) console.error(stdout);
  else spawnSync(process.execPath, [join(__dirname, "keep-code.js")], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
