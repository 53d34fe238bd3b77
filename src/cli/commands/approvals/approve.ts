import { decideCommand } from "../../tasks/decided.ts";

export const command = decideCommand({
  name: "approve",
  wanted: "APPROVED",
  summary: "approve an action: its policy is checked again, then it runs",
  examples: ["service-sim approvals approve e2d4c8"],
});
