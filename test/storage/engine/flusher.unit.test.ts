import { test } from "vitest";
import { WHOLE_CODE } from "./setup/engine-code.ts";
import { FLUSH_CASES } from "./setup/flush-cases.ts";

test.each(FLUSH_CASES)("$name", ({ check }) => check(WHOLE_CODE));
