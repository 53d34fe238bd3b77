import type { Part } from "../part.ts";
import { FAULT_KINDS } from "./fault-layer.ts";
import { callsOf, runFault } from "./fault-run.ts";
import { fillMount } from "./small-mount.ts";

/** Every kind of fault at every call of one history, and a real disk that fills up. */
export const faultPart: Part = async ({ seed, count, fail, tell }) => {
  for (const kind of FAULT_KINDS) {
    const calls = await callsOf(kind);
    for (let at = 1; at <= calls; at += 1) {
      const report = await runFault(kind, at);
      count(`faults: ${kind.name}`);
      count("acts answered", report.answered);
      count("acts refused", report.refused);
      for (const wrong of report.wrong)
        fail(
          `${kind.name} at call ${at}: ${wrong}`,
          `npm run crash -- --only faults --seed ${seed}`,
        );
    }
    tell(`${kind.name}, ${calls} calls`);
  }
  const report = await fillMount();
  if (report.skipped !== undefined) return tell(`no small mount: ${report.skipped}`);
  count("writes acknowledged on a small mount", report.acknowledged);
  count("writes refused on a small mount", report.refused);
  for (const wrong of report.wrong) fail(wrong, "npm run crash -- --only faults");
};
