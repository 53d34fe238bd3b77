import type { ShownKeys } from "../../../contract/control/webhook-keys.ts";
import { clientCommand } from "../../frame/client-command.ts";
import type { Style } from "../../text/terminal.ts";

export const formatRotated = ({ current, retired }: Omit<ShownKeys, "form">, { mark }: Style) => [
  `${mark("done")} webhooks are now signed with key ${current.fingerprint}, ` +
    `no longer with ${retired[0]?.fingerprint}`,
];

export const command = clientCommand<ShownKeys>({
  name: "rotate",
  summary: "sign webhooks with a new key; receivers that keep the old key reject them",
  examples: ["service-sim keys rotate && service-sim webhooks key"],
  call: () => ["POST", "/webhooks/keys/rotate"],
  lines: formatRotated,
  next: () => "service-sim webhooks vector old-key    sends one signed with the old key",
});
