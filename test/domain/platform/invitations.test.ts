import { expect, test } from "vitest";
import type { InvitationInput } from "../../../src/contract/platform/invitations.ts";
import type { Rule } from "../../../src/domain/core/draft.ts";
import { createInvitation } from "../../../src/domain/platform/invitations.ts";
import { RuleWorld } from "../setup/rule-world.ts";

const body: InvitationInput = { inviterUma: "$lena@pay.example" };

/** The rule with codes drawn in the given order. */
const drawing =
  (...codes: string[]): Rule<{ body: InvitationInput }, { code: string }> =>
  (draft, input, moment) =>
    createInvitation(draft, input, { ...moment, draw: () => codes.shift() ?? "none" });

test("a used code is never drawn again, whatever the state of its invitation", () => {
  const world = new RuleWorld();
  expect(world.run(drawing("0000000a"), { body }).code).toBe("0000000a");
  expect(world.run(drawing("0000000a", "0000000a", "0000000b"), { body }).code).toBe("0000000b");
  const ids = world.state.ids("Invitation", "all", "");
  expect(ids).toEqual(["0000000a", "0000000b"]);
});
