import { MAGIC_VALUES } from "../contract/core/magic-values.ts";
import { hasChange, type RevisionRow } from "../contract/core/revisions.ts";
import type { WorldSettings } from "../domain/records/initial-settings.ts";
import type { CoverageGroupName } from "./coverage-counts.ts";

/** Settings that decide which items a world can meet at all. */
export type ReachSettings = Pick<Required<WorldSettings>, "cryptoMode" | "codes" | "revision">;

interface UnmeetableItem {
  group: CoverageGroupName;
  name: string;
  /** Options of a start that can meet it. */
  needs: string;
  isUnmeetable(settings: ReachSettings): boolean;
}

const proof = (
  row: string,
  needs: string,
  isUnmeetable: UnmeetableItem["isUnmeetable"],
): UnmeetableItem => ({ group: "outcomes", name: `walletProof.${row}`, needs, isUnmeetable });

const isStrict = ({ cryptoMode }: ReachSettings) => cryptoMode === "strict";

/** The code of every mail can be the magic one, and is genuine then. */
const takesNoMagicCode = ({ cryptoMode, codes }: ReachSettings) =>
  cryptoMode === "strict" ||
  (cryptoMode === "both" && (codes.startsWith("random") || codes === MAGIC_VALUES.otp));

const takesNoMagicToken = (settings: ReachSettings) =>
  isStrict(settings) ||
  (settings.cryptoMode === "both" && hasChange(settings.revision, "idTokenNonces"));

/** An item that the first revision alone has. */
const former = (
  group: UnmeetableItem["group"],
  name: string,
  change: RevisionRow,
): UnmeetableItem => ({
  group,
  name,
  needs: "--revision 2025-10",
  isUnmeetable: ({ revision }) => hasChange(revision, change),
});

/** Items that some settings rule out (spec/coverage.md#out-of-reach). */
export const UNMEETABLE_ITEMS: readonly UnmeetableItem[] = [
  proof(MAGIC_VALUES.otp, "--crypto both --codes fixed", takesNoMagicCode),
  proof(MAGIC_VALUES.oidcToken, "--crypto both --revision 2025-10", takesNoMagicToken),
  proof(MAGIC_VALUES.passkeySignature, "--crypto both", isStrict),
  proof(MAGIC_VALUES.walletSignature, "--crypto both", isStrict),
  proof("otherwise", "--crypto both", ({ cryptoMode }) => cryptoMode === "magic-only"),
  former("errors", "UNAVAILABLE", "serviceUnavailable"),
  former("timers", "incoming.refund", "incomingRefunds"),
];

/** The items, as `outcomes.walletProof.000000`, that no call can meet under these settings. */
export const unmeetableUnder = (settings: ReachSettings): string[] =>
  UNMEETABLE_ITEMS.filter(({ isUnmeetable }) => isUnmeetable(settings)).map(
    ({ group, name }) => `${group}.${name}`,
  );

/** Options of a start under which an item can be met. */
export const needsOf = (group: CoverageGroupName, name: string): string | undefined =>
  UNMEETABLE_ITEMS.find((item) => item.group === group && item.name === name)?.needs;
