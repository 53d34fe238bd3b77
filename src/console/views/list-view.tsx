import { type ReactNode, useState } from "react";
import type { ListName, Rows } from "../../rows/world.ts";
import { Act } from "../parts/act.tsx";
import { Field, Form } from "../parts/field.tsx";
import { Title } from "../parts/pane.tsx";
import { SearchedList } from "../parts/searched-list.tsx";
import { useAction, useConsole, useWatched } from "../use-console.ts";

/** Sets where webhooks go. */
const Endpoint = () => {
  const { webhookEndpoint } = useWatched();
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const [typed, setTyped] = useState<string>();
  const send = () =>
    void run(async () => {
      await control.send("POST", "/call", {
        operationId: "patchConfig",
        body: { webhookEndpoint: typed ?? "" },
      });
      setTyped(undefined);
      return { text: `Webhooks go to ${typed}` };
    });
  return (
    <Form onSend={send} isInline>
      <Field label="endpoint" isInline>
        <input
          value={typed ?? webhookEndpoint ?? ""}
          placeholder="http://127.0.0.1:3000/hooks"
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <Act isSubmit isSmall isDisabled={isBusy || typed === undefined}>
        Set
      </Act>
      <a className="btn small" href="#/webhooks/send">
        Send an example…
      </a>
      <a className="btn small" href="#/webhooks/doctor">
        Doctor…
      </a>
    </Form>
  );
};

/** A whole list of the feed, with its search. */
export const ListView = <Name extends ListName>({
  name,
  title,
  hrefOf,
  children,
}: {
  name: Name;
  title: string;
  hrefOf(row: Rows[Name]): string;
  /** Stands above the list. */
  children?: ReactNode;
}) => (
  <>
    <Title beside={name === "deliveries" && <Endpoint />}>{title}</Title>
    {children}
    <SearchedList name={name} title={title} hrefOf={hrefOf as never} />
  </>
);
