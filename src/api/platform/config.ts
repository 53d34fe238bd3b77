import { ConfigPatch, PlatformConfig } from "../../contract/platform/config.ts";
import * as config from "../../domain/platform/config.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const getConfig = endpoint("getConfig", {
  summary: "Get the platform's configuration",
  replies: [200, PlatformConfig],
  refuses: [],
  handle: (input, { read }) => read(config.getConfig, input),
});

export const patchConfig = endpoint("patchConfig", {
  summary: "Change the platform's configuration; omitted fields are unchanged",
  body: ConfigPatch,
  replies: [200, PlatformConfig],
  refuses: ["AMOUNT_OUT_OF_RANGE"],
  later: { change: "platformFees", refuses: ["NOT_IMPLEMENTED"] },
  handle: ({ body }, { commit }) => commit(config.patchConfig, { body }),
});
