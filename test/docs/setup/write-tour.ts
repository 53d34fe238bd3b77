import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

// `npm run screen` rewrites the moving picture of the README, with what the built program does.
const report = execFileSync(process.execPath, ["bin/service-sim.js", "demo", "--json"], {
  encoding: "utf8",
});
// The build puts the version in its place.
Object.assign(globalThis, { __VERSION__: "" });
const { TOUR_FILE, tourPicture } = await import("./tour-picture.ts");
writeFileSync(TOUR_FILE, tourPicture(JSON.parse(report)));
