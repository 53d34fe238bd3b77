/** A bug in one source file: literal texts of now, each with what stands there instead. */
export interface RevisionPlant {
  name: string;
  file: string;
  edits: readonly [search: string, replace: string][];
}

const SHAPES = "src/contract/core/revised-shape.ts";
const RULES = "src/domain/core/revision.ts";
const FORMS = "src/http/door/endpoint.ts";
const EVENTS = "src/domain/core/events.ts";

/** Bugs of shapes, rules and operations by revision, which the fast tests have to notice. */
export const REVISION_PLANTS: readonly RevisionPlant[] = [
  {
    name: "members since a change are in every revision",
    file: SHAPES,
    edits: [
      [
        'import { hasChange, type RevisionRow } from "./revisions.ts";',
        'import type { RevisionRow } from "./revisions.ts";\nconst hasChange = (..._given: unknown[]) => true;',
      ],
      ["if (revision === FIRST_REVISION) return shape;", ""],
    ],
  },
  {
    name: "a new member is in no revision",
    file: SHAPES,
    edits: [["members[name] = shapeIn(difference.shape, revision);", ""]],
  },
  {
    name: "a member keeps the shape that a change replaced",
    file: SHAPES,
    edits: [['if (difference.is === "added") return shapeIn(difference.shape, revision);', ""]],
  },
  {
    name: "a member that is gone stays",
    file: SHAPES,
    edits: [['if (difference.is === "gone") return undefined;', ""]],
  },
  {
    name: "a demanded member is still optional",
    file: SHAPES,
    edits: [
      ["return now instanceof z.ZodOptional ? (now.unwrap() as z.ZodType) : now;", "return now;"],
    ],
  },
  {
    name: "a freed member is still required",
    file: SHAPES,
    edits: [["return now.optional();", "return now;"]],
  },
  {
    name: "a value that is gone stays",
    file: SHAPES,
    edits: [["!goneValues.includes(value)", "true"]],
  },
  {
    name: "a new value is in no revision",
    file: SHAPES,
    edits: [["Object.fromEntries([...kept, ...more])", "Object.fromEntries(kept)"]],
  },
  {
    name: "a new variant is in no revision",
    file: SHAPES,
    edits: [["{ options: [...now, ...more] }", "{ options: now }"]],
  },
  {
    name: "a replaced shape stays",
    file: SHAPES,
    edits: [
      [
        "if (instead && hasChange(revision, instead.since)) return shapeIn(instead.shape, revision);",
        "",
      ],
    ],
  },
  {
    name: "an extended object loses its changes",
    file: SHAPES,
    edits: [["if (later) LATER.set(extension, later);", ""]],
  },
  {
    name: "a check makes a shape lose its changes",
    file: SHAPES,
    edits: [["(shape._zod.parent && laterOf(shape._zod.parent))", "undefined"]],
  },
  {
    name: "a shape of a later revision loses its name",
    file: SHAPES,
    edits: [["made === shape || !meta ? made : made.meta(meta)", "made"]],
  },
  {
    name: "changes in a list are lost",
    file: SHAPES,
    edits: [['array: ["element"],', ""]],
  },
  {
    name: "changes behind a name are lost",
    file: SHAPES,
    edits: [["if (shape instanceof z.ZodLazy)\n", "if (shape instanceof z.ZodNever)\n"]],
  },
  {
    name: "a shape is made anew at each use",
    file: SHAPES,
    edits: [["shapes.set(shape, made);", ""]],
  },
  {
    name: "records are shown with later members in every revision",
    file: RULES,
    edits: [
      ["if (revision === FIRST_REVISION) return shown;", ""],
      ["if (!hasChange(revision, member.since)) continue;", ""],
    ],
  },
  {
    name: "records are shown without later members",
    file: RULES,
    edits: [["if (revision === FIRST_REVISION) return shown;", "if (revision) return shown;"]],
  },
  {
    name: "a record keeps a member that is gone",
    file: RULES,
    edits: [["if (now === undefined) delete shown[name];", "if (now === undefined) continue;"]],
  },
  {
    name: "every world serves the first revision",
    file: RULES,
    edits: [["return config?.revision ?? FIRST_REVISION;", "return FIRST_REVISION;"]],
  },
  {
    name: "operations have the form of the first revision",
    file: FORMS,
    edits: [["if (revision === FIRST_REVISION) return endpoint;", "return endpoint;"]],
  },
  {
    name: "an operation of a later revision is in the first one",
    file: FORMS,
    edits: [["if (endpoint.since && !hasChange(revision, endpoint.since)) return undefined;", ""]],
  },
  {
    name: "an operation answers in the shape of the first revision",
    file: FORMS,
    edits: [
      [
        "replies: [status, shapeIn(shape, revision), ...mediaTypes],",
        "replies: [status, shape, ...mediaTypes],",
      ],
    ],
  },
  {
    name: "an event is recorded that the revision lacks",
    file: EVENTS,
    edits: [['if (!hasEvent(revisionOf(draft), type)) return "";', ""]],
  },
];
