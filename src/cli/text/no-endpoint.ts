import { asCalled } from "./called-as.ts";

/** Commands that read collected events and that set an endpoint, while none is set. */
export const noEndpointLines = (): string[] => [
  asCalled("service-sim webhooks list              what was collected"),
  asCalled("service-sim webhooks endpoint <url>    sends events there"),
];
