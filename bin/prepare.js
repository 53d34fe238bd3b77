// Runs at `npm ci` and before packing: builds dist/, and says why when it cannot.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const hasBuilder = existsSync(`${root}node_modules/rolldown`);

if (hasBuilder) {
  execFileSync("npm", ["run", "build", "--silent"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
} else {
  console.error(
    "service-sim was not built: the development packages are missing " +
      "(NODE_ENV=production or --omit=dev).\n" +
      "next   npm ci --include=dev",
  );
}
