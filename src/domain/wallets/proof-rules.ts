import { ruleName } from "../outcomes/rule-names.ts";

/** The row of every proof that is no magic value: it counts when it is genuine. */
export const GENUINE_PROOF = ruleName("walletProof", "otherwise");
