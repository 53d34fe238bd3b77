import type * as z from "zod";
import { judged } from "../../contract/judged.ts";
import { findingOf, patternOf, saysOf } from "./shape.ts";

type Issue = z.core.$ZodIssue;

/** Bounds that a value does not keep, for programs. */
interface FieldConstraint {
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
}

/** One wrong field of a request (spec/later-customers.md#field-errors). */
export interface FieldError {
  field: string;
  message: string;
  constraint?: FieldConstraint;
}

const constraintOf = (issue: Issue): FieldConstraint => {
  if (issue.code === "invalid_value") return { enum: issue.values };
  if (issue.code === "too_small" && issue.origin === "string")
    return { minLength: Number(issue.minimum) };
  if (issue.code === "too_big" && issue.origin === "string")
    return { maxLength: Number(issue.maximum) };
  const isNamed = issue.code === "invalid_format" && issue.format !== "regex";
  return { ...(isNamed && { format: issue.format }), ...patternOf(issue) };
};

const errorOf = (issue: Issue, value: unknown): FieldError => {
  const constraint = constraintOf(issue);
  return {
    field: findingOf(issue, value).path.join(".") || "body",
    message: saysOf(issue, value, "body"),
    ...(Object.keys(constraint).length > 0 && { constraint }),
  };
};

/** Every field of a body that does not have its shape, each once. */
export const fieldErrors = (schema: z.ZodType, value: unknown): FieldError[] => {
  const { error } = judged(schema, value);
  const errors = (error?.issues ?? []).map((issue) => errorOf(issue, value));
  return errors.filter(({ field }, at) => errors.findIndex((one) => one.field === field) === at);
};
