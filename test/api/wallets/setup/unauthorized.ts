import { expect } from "vitest";
import type { Answer } from "../../../setup/test-simulator.ts";
import { expectErrorShape } from "../../setup/refused.ts";

/** The expected 401: its code, its reason if any, and the step that failed. */
export interface Unauthorized {
  code?: string;
  reason?: string;
  check: RegExp;
}

/** Asserts a 401 of credentials, sessions and signatures, with its `details.check`. */
export const expectUnauthorized = (
  answer: Answer,
  { code = "UNAUTHORIZED", reason, check }: Unauthorized,
) => {
  const { status, body } = answer;
  expect({ status, code: body.code, reason: body.reason }).toEqual({ status: 401, code, reason });
  expect(body.details?.check).toMatch(check);
  expectErrorShape(answer);
};

export const INVALID_SIGNATURE = "Invalid Service-Wallet-Signature";
export const UNKNOWN_REQUEST = "Unknown Request-Id";
export const USED_REQUEST = "Request-Id already used";
export const EXPIRED_REQUEST = "Request-Id expired";
export const CHANGED_BODY = "Request body does not match the pending request";
