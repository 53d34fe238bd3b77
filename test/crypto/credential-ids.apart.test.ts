import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalCredentialId } from "../../src/crypto/credential-ids.ts";

describe("a credential id becomes unpadded base64url", () => {
  test.each([
    { sent: "q1ZrT0hWm9xUe2pLd7sYcA", kept: "q1ZrT0hWm9xUe2pLd7sYcA" },
    { sent: "q1ZrT0hWm9xUe2pLd7sYcA==", kept: "q1ZrT0hWm9xUe2pLd7sYcA" },
    { sent: "q1ZrT0hWm9xUe2pLd7sYcA=", kept: "q1ZrT0hWm9xUe2pLd7sYcA" },
    { sent: "+/+/", kept: "-_-_" },
    { sent: "-_-_", kept: "-_-_" },
    { sent: "eB", kept: "eA" },
    { sent: "my key!", kept: "bXkga2V5IQ" },
    { sent: "abcde", kept: "YWJjZGU" },
    { sent: "é", kept: "w6k" },
  ])("$sent is kept as $kept", ({ sent, kept }) => {
    expect(canonicalCredentialId(sent)).toBe(kept);
  });

  test("whatever is sent, and what was kept stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (sent) => {
        const kept = canonicalCredentialId(sent);
        expect(kept).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(canonicalCredentialId(kept)).toBe(kept);
      }),
    );
  });
});
