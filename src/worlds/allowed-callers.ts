import { type Allows, allowEntryOf } from "../contract/core/network-reach.ts";
import { isPageOrigin } from "../contract/core/page-origin.ts";
import { type SimulatorOptions, shownText, unfit } from "../options/simulator-options.ts";

const allowedOf = (text: string): Allows => {
  const allows = allowEntryOf(text);
  if (!allows)
    throw unfit(
      "allowWebhookTargets",
      "a host name, an address or a range like 10.0.0.0/8, none of them link-local,",
      shownText(text),
    );
  return allows;
};

/**
 * Receivers that may be called beyond loopback although they are not public.
 * @throws OptionError for an unusable one
 */
export const allowedTargetsOf = ({ allowWebhookTargets = [] }: SimulatorOptions) =>
  allowWebhookTargets.map(allowedOf);

const originOf = (text: string) => {
  if (isPageOrigin(text)) return text;
  throw unfit(
    "allowOrigins",
    "an origin like http://localhost:5173, without a path,",
    shownText(text),
  );
};

/**
 * Origins of pages that may call the platform.
 * @throws OptionError for an unusable one
 */
export const allowedOriginsOf = ({ allowOrigins = [] }: SimulatorOptions) =>
  allowOrigins.map(originOf);
