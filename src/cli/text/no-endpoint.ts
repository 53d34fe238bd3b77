import { asCalled } from "./called-as.ts";
import { inWorld } from "./world-hint.ts";

/** Commands that read collected events and that set an endpoint, while none is set. */
export const noEndpointLines = (world?: string): string[] =>
  [
    "service-sim webhooks list              the stored events",
    "service-sim webhooks endpoint <url>    sends events there",
  ].map((line) => asCalled(inWorld(line, world)));
