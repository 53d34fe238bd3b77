const GROUP = 3;

/**
 * A whole number as people read it: `12,000`. By hand, since the first use of `toLocaleString` loads
 * the language's data, which takes a third of a command.
 */
export const inGroups = (count: number): string => {
  const [, sign = "", digits = ""] = /^(-?)(.*)$/.exec(String(count)) ?? [];
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= GROUP)
    groups.unshift(digits.slice(Math.max(0, end - GROUP), end));
  return sign + groups.join(",");
};
