import { asCalled } from "./called-as.ts";

/** Where events go while no endpoint is set, and how to set one. */
export const noEndpointLines = (): string[] => [
  asCalled("events are collected; read them with: service-sim webhooks list"),
  asCalled("send them with: service-sim webhooks endpoint <url>"),
];
