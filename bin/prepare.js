// Runs after `npm ci` and before packing: builds dist/ when it is not built, and says why when it cannot.
const { execFileSync } = require("node:child_process");
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
  execFileSync("npm", ["run", "build", "--silent"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
}
