/** Header that names the rows of the sandbox's tables that decided a reply. */
export const RULE_HEADER = "x-sim-rule";

/** The header for some rules, each named once; nothing where no rule decided. */
export const ruleHeader = (rules: readonly string[]): Record<string, string> =>
  rules.length === 0 ? {} : { [RULE_HEADER]: [...new Set(rules)].join(", ") };

/** The rules that a reply's header names. */
export const rulesIn = (headers: Record<string, string> = {}): string[] =>
  headers[RULE_HEADER]?.split(", ") ?? [];
