import type { CryptoMode } from "../../contract/core/crypto-modes.ts";
import type { View } from "../core/draft.ts";
import { settingsInForce } from "../core/world-settings.ts";

/** The proofs that count in this world (spec/wallets.md#crypto-modes). */
export const cryptoMode = (view: View): CryptoMode => settingsInForce(view).cryptoMode;
