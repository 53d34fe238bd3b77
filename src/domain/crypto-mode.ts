import type { View } from "./draft.ts";
import type { CryptoMode } from "./records.ts";
import { settingsInForce } from "./world-settings.ts";

/** Which proofs count in this world. */
export const cryptoMode = (view: View): CryptoMode => settingsInForce(view).cryptoMode;
