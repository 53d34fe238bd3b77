type Members<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members of an object that are not undefined, in the same order. */
export const defined = <T extends object>(
  members: T,
): { [K in keyof Members<T>]: Members<T>[K] } => {
  const kept: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name];
  return kept as { [K in keyof Members<T>]: Members<T>[K] };
};
