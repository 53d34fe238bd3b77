import { Json } from "../parts/json.tsx";
import { Pane, Title } from "../parts/pane.tsx";
import type { Document } from "./document.ts";
import { SchemaView } from "./schema-view.tsx";

/** One type of webhook: an example, its body, and where to send one. */
export const WebhookPage = ({ document, type }: { document: Document; type: string }) => {
  const webhook = document.webhooks?.[type]?.post;
  if (!webhook) return <Title>There is no webhook {type}</Title>;
  const content = webhook.requestBody?.content?.["application/json"];
  return (
    <div>
      <Title>{type}</Title>
      <p className="sub">
        {webhook.summary}.{" "}
        <a className="link" href="#/webhooks/send">
          Send one to the endpoint
        </a>
      </p>
      {content?.example !== undefined && (
        <Pane title="Example">
          <Json text={JSON.stringify(content.example, null, 2)} label="Example" />
        </Pane>
      )}
      {content?.schema && (
        <Pane title="Body" isQuiet>
          <SchemaView document={document} schema={content.schema} />
        </Pane>
      )}
    </div>
  );
};
