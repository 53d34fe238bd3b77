import { CodeChoice } from "../../contract/control/inbox.ts";
import { codeSettingOf } from "../../crypto/code-setting.ts";
import { setCodes } from "../../domain/wallets/code-choice.ts";
import { endpoint } from "./control-endpoint.ts";

/** The choice of one-time codes, which a fixture may make too. */
export const codeHooks = [
  endpoint({
    operationId: "setCodes",
    summary: "Set the one-time codes of new emails: fixed, random, or digits",
    method: "PUT",
    path: "/inbox/codes",
    body: CodeChoice,
    replies: [200, CodeChoice],
    refuses: [],
    handle: ({ body: { codes } }, { commit }, world) => {
      const draw = () => codeSettingOf(codes);
      return commit(setCodes, {
        setting: codes === "random" ? world.drawn("codes", draw) : draw(),
      });
    },
  }),
];
