import type { View } from "./draft.ts";
import { platformConfig } from "./events.ts";
import type { CryptoMode } from "./records.ts";

/** Which proofs count in this world (decisions, Headers and signatures). */
export const cryptoMode = (view: View): CryptoMode => platformConfig(view).cryptoMode ?? "both";
