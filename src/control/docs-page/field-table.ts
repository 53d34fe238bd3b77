import { type Html, html } from "./html.ts";
import { fieldsOf, type Schema, type Schemas } from "./schemas.ts";

/** The members of a body or a reply as a table; nothing for a shape without members. */
export const fieldTable = (schema: Schema, schemas: Schemas): Html => {
  const fields = fieldsOf(schema, schemas);
  if (fields.length === 0) return html``;
  return html`<table><thead><tr><th scope="col">field</th><th scope="col">type</th>
    <th scope="col">needed</th></tr></thead><tbody>${fields.map(
      ({ path, type, isRequired }) =>
        html`<tr><td><code>${path}</code></td><td>${type}</td><td>${isRequired ? "yes" : "no"}</td></tr>`,
    )}</tbody></table>`;
};
