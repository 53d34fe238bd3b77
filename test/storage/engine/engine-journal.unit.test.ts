import { test } from "vitest";
import { WHOLE_CODE } from "./setup/engine-code.ts";
import { JOURNAL_CASES } from "./setup/journal-cases.ts";

test.each(JOURNAL_CASES)("$name", ({ check }) => check(WHOLE_CODE));
