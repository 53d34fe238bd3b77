import type { ShownKeys } from "../../../contract/control/webhook-keys.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import type { Style } from "../../text/terminal.ts";

export const formatRotated = ({ current, retired }: Omit<ShownKeys, "form">, { mark }: Style) => [
  `${mark("done")} webhooks are now signed with key ${current.fingerprint}, ` +
    `no longer with ${retired[0]?.fingerprint}`,
];

export const command: Command = {
  name: "rotate",
  summary: "sign webhooks with a new key; receivers that keep the old key reject them",
  options: CLIENT_OPTIONS,
  examples: ["service-sim keys rotate && service-sim webhooks key"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const keys = await reach(client.post<ShownKeys>("/webhooks/keys/rotate"));
    terminal.document(keys);
    terminal.print(...formatRotated(keys, terminal.style));
    terminal.next("service-sim webhooks vector old-key    sends one signed with the old key");
    return EXIT.done;
  },
};
