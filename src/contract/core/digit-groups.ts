const GROUP_START = /\B(?=(?:\d{3})+$)/g;

/**
 * A whole number as people read it: `12,000`. By hand, since the first use of `toLocaleString` loads
 * the language's data, which takes a third of a command.
 */
export const inGroups = (count: number): string => String(count).replace(GROUP_START, ",");
