import { test } from "vitest";
import { WHOLE_CODE } from "./setup/engine-code.ts";
import { LEASE_CASES } from "./setup/lease-cases.ts";

test.each(LEASE_CASES)("$name", ({ check }) => check(WHOLE_CODE));
