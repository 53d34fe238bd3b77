import * as z from "zod";
import { FIRST_REVISION, type Revision } from "./revision-names.ts";
import { hasChange, type RevisionRow } from "./revisions.ts";

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** A change of one member of a shape. */
type Difference =
  | { since: RevisionRow; is: "added"; shape: z.ZodType }
  | { since: RevisionRow; is: "gone" | "demanded" | "freed" };

/** A member, a variant or a whole shape since a change; in answers and bodies of that revision alone. */
export interface Added<Member extends z.ZodType = z.ZodType> {
  since: RevisionRow;
  is: "added";
  shape: Member;
}

/** A member or a value that a change took away, made required, or no longer requires. */
export interface Changed {
  since: RevisionRow;
  is: "gone" | "demanded" | "freed";
}

type Differences = Readonly<Record<string, Difference>>;

/** Differences of a shape, kept beside it: the shape itself is that of the first revision. */
interface Later {
  members?: Differences;
  /** Values of a choice: new ones, and those that are gone. */
  values?: Readonly<Record<string, { since: RevisionRow; is: "added" | "gone" }>>;
  variants?: readonly Added[];
  /** Another shape altogether. */
  instead?: Added;
}

const LATER = new WeakMap<z.core.$ZodType, Later>();

/** Differences of a shape, or of the one that it was made of by a check or a name. */
const laterOf = (shape: z.core.$ZodType): Later | undefined =>
  LATER.get(shape) ?? (shape._zod.parent && laterOf(shape._zod.parent));

/** A member since a change. */
export const added = <Member extends z.ZodType>(
  since: RevisionRow,
  shape: Member,
): Added<Member> => ({ since, is: "added", shape });

/** A value of a choice since a change. */
export const addedValue = (since: RevisionRow) => ({ since, is: "added" }) as const;

/** A member or a value that is gone since a change. */
export const gone = (since: RevisionRow): Changed & { is: "gone" } => ({ since, is: "gone" });

/** An optional member that is required since a change. */
export const demanded = (since: RevisionRow): Changed => ({ since, is: "demanded" });

/** A required member that is optional since a change. */
export const freed = (since: RevisionRow): Changed => ({ since, is: "freed" });

/** Members of both forms: what only one revision has is optional. */
type InAnyRevision<Base extends Shape, Rows> = {
  [Name in keyof Base]: Name extends keyof Rows
    ? Rows[Name] extends Added<infer Member>
      ? z.ZodUnion<[Base[Name], Member]>
      : Rows[Name] extends { is: "gone" }
        ? z.ZodOptional<Base[Name]>
        : Base[Name]
    : Base[Name];
} & {
  [Name in Exclude<keyof Rows, keyof Base>]: Rows[Name] extends Added<infer Member>
    ? z.ZodOptional<Member>
    : never;
};

/**
 * An object of the first revision with what later ones changed of its members. `added` beside a member
 * of the same name gives that member another shape.
 */
export const revised = <Base extends Shape, Rows extends Differences>(
  shape: z.ZodObject<Base>,
  members: Rows,
): z.ZodObject<InAnyRevision<Base, Rows>> => {
  LATER.set(shape, { members });
  return shape as unknown as z.ZodObject<InAnyRevision<Base, Rows>>;
};

/** The same object with further members in each revision. */
export const extended = <Base extends Shape, More extends Shape>(
  shape: z.ZodObject<Base>,
  more: More,
): z.ZodObject<z.core.util.Extend<Base, More>> => {
  const extension = shape.extend(more) as z.ZodObject<z.core.util.Extend<Base, More>>;
  const later = laterOf(shape);
  if (later) LATER.set(extension, later);
  return extension;
};

/** A union with variants that later revisions added. */
export const withVariants = <Union extends z.ZodType, Member extends z.ZodType>(
  union: Union,
  variants: readonly Added<Member>[],
): z.ZodUnion<[Union, Member]> => {
  LATER.set(union, { variants });
  return union as unknown as z.ZodUnion<[Union, Member]>;
};

/** A choice of texts with values that later revisions added or took away. */
export const withValues = <Value extends string, Rows extends NonNullable<Later["values"]>>(
  choice: z.ZodType<Value>,
  values: Rows,
): z.ZodType<Value | Extract<keyof Rows, string>, Value | Extract<keyof Rows, string>> => {
  LATER.set(choice, { values });
  return choice as never;
};

/** A shape that a change replaced by another one. */
export const replaced = <Base extends z.ZodType, Member extends z.ZodType>(
  shape: Base,
  instead: Added<Member>,
): z.ZodUnion<[Base, Member]> => {
  LATER.set(shape, { instead });
  return shape as unknown as z.ZodUnion<[Base, Member]>;
};

type AnyDef = Record<string, unknown> & { type: string };

const known = new Map<Revision, WeakMap<z.ZodType, z.ZodType>>();

/**
 * A shape as a revision has it (spec/revisions.md#changes). In the first revision it is the shape
 * itself; those of later ones are made at their first use.
 */
export const shapeIn = <Of extends z.ZodType>(shape: Of, revision: Revision): Of => {
  if (revision === FIRST_REVISION) return shape;
  const shapes = known.get(revision) ?? new WeakMap<z.ZodType, z.ZodType>();
  known.set(revision, shapes);
  const made = shapes.get(shape) ?? inLater(shape, revision);
  shapes.set(shape, made);
  return made as Of;
};

const inLater = (shape: z.ZodType, revision: Revision): z.ZodType => {
  const later = laterOf(shape) ?? {};
  const { instead } = later;
  if (instead && hasChange(revision, instead.since)) return shapeIn(instead.shape, revision);
  const meta = shape.meta();
  const made = rebuilt(shape, later, revision);
  return made === shape || !meta ? made : made.meta(meta);
};

const rebuilt = (shape: z.ZodType, later: Later, revision: Revision): z.ZodType => {
  // A lazy shape is made by its function: zod keeps what it gave beside that.
  if (shape instanceof z.ZodLazy)
    return z.lazy(() => shapeIn(shape.unwrap() as z.ZodType, revision));
  const def = shape._zod.def as unknown as AnyDef;
  const changes = partsIn(def, later, revision);
  return changes ? (shape.clone({ ...def, ...changes } as never) as z.ZodType) : shape;
};

/** Definitions whose parts are shapes, by the names of those parts. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  array: ["element"],
  optional: ["innerType"],
  nullable: ["innerType"],
  default: ["innerType"],
  prefault: ["innerType"],
  readonly: ["innerType"],
  nonoptional: ["innerType"],
  record: ["keyType", "valueType"],
  intersection: ["left", "right"],
  pipe: ["in", "out"],
};

/** The parts of a definition that are others in a revision; nothing where all are the same. */
const partsIn = (
  def: AnyDef,
  later: Later,
  revision: Revision,
): Record<string, unknown> | undefined => {
  if (def.type === "object") return membersIn(def.shape as Shape, later.members ?? {}, revision);
  if (def.type === "enum") return valuesIn(def.entries as object, later.values ?? {}, revision);
  if (def.type === "union") return variantsIn(def.options as z.ZodType[], later.variants, revision);
  const changed = (PARTS[def.type] ?? []).flatMap((name) => {
    const part = def[name] as z.ZodType;
    const now = shapeIn(part, revision);
    return now === part ? [] : [[name, now] as const];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
};

const memberIn = (
  member: z.ZodType,
  difference: Difference | undefined,
  revision: Revision,
): z.ZodType | undefined => {
  const now = shapeIn(member, revision);
  if (!difference || !hasChange(revision, difference.since)) return now;
  if (difference.is === "gone") return undefined;
  if (difference.is === "added") return shapeIn(difference.shape, revision);
  if (difference.is === "freed") return now.optional();
  return now instanceof z.ZodOptional ? (now.unwrap() as z.ZodType) : now;
};

const membersIn = (shape: Shape, differences: Differences, revision: Revision) => {
  let isSame = true;
  const members: Record<string, z.ZodType> = {};
  for (const [name, member] of Object.entries(shape) as [string, z.ZodType][]) {
    const now = memberIn(member, differences[name], revision);
    isSame &&= now === member;
    if (now) members[name] = now;
  }
  for (const [name, difference] of Object.entries(differences)) {
    if (name in shape || difference.is !== "added") continue;
    if (!hasChange(revision, difference.since)) continue;
    isSame = false;
    members[name] = shapeIn(difference.shape, revision);
  }
  return isSame ? undefined : { shape: members };
};

const valuesIn = (entries: object, values: NonNullable<Later["values"]>, revision: Revision) => {
  const served = Object.entries(values).filter(([, { since }]) => hasChange(revision, since));
  if (served.length === 0) return undefined;
  const goneValues = served.filter(([, { is }]) => is === "gone").map(([value]) => value);
  const kept = Object.entries(entries).filter(([value]) => !goneValues.includes(value));
  const more = served.filter(([, { is }]) => is === "added").map(([value]) => [value, value]);
  return { entries: Object.fromEntries([...kept, ...more]) };
};

const variantsIn = (
  options: readonly z.ZodType[],
  variants: readonly Added[] = [],
  revision: Revision,
) => {
  const more = variants
    .filter(({ since }) => hasChange(revision, since))
    .map(({ shape }) => shapeIn(shape, revision));
  const now = options.map((option) => shapeIn(option, revision));
  const isSame = more.length === 0 && now.every((option, at) => option === options[at]);
  return isSame ? undefined : { options: [...now, ...more] };
};
