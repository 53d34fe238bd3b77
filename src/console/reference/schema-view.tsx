import { useState } from "react";
import { Segments } from "../parts/segments.tsx";
import { constraintsOf, type Document, resolved, type Schema, typeOf } from "./document.ts";
import css from "./schema-view.module.css";

const MOST_DEPTH = 8;

const titleOf = (document: Document, choice: Schema, at: number): string => {
  const { properties = {} } = resolved(document, choice);
  for (const member of Object.values(properties)) {
    const { const: only, enum: values } = resolved(document, member);
    const value = only ?? (values?.length === 1 ? values[0] : undefined);
    if (value !== undefined) return String(value);
  }
  return choice.$ref?.split("/").at(-1) ?? `form ${at + 1}`;
};

/** A union as choices, each with its own members. */
const Choices = ({
  document,
  choices,
  depth,
}: {
  document: Document;
  choices: readonly Schema[];
  depth: number;
}) => {
  const [at, setAt] = useState(0);
  const chosen = choices[at];
  return (
    <>
      <Segments
        label="Forms"
        of={choices.map((choice, place) => [place, titleOf(document, choice, place)])}
        isChosen={(place) => place === at}
        onChoose={setAt}
      />
      {chosen && <SchemaView document={document} schema={chosen} depth={depth + 1} />}
    </>
  );
};

const isNested = (document: Document, schemaOrRef: Schema): boolean => {
  const schema = resolved(document, schemaOrRef);
  if (schema.items) return isNested(document, schema.items);
  return Boolean(schema.properties ?? schema.oneOf ?? schema.anyOf);
};

const Member = ({
  document,
  name,
  schemaOrRef,
  isRequired,
  depth,
}: {
  document: Document;
  name: string;
  schemaOrRef: Schema;
  isRequired: boolean;
  depth: number;
}) => {
  const schema = resolved(document, schemaOrRef);
  const says = [typeOf(document, schemaOrRef), constraintsOf(schema), isRequired ? "" : "optional"]
    .filter(Boolean)
    .join(", ");
  const head = (
    <>
      <b className="m">{name}</b> <span className="d">{says}</span>
      {schema.description !== undefined && <span className="s"> {schema.description}</span>}
    </>
  );
  if (!isNested(document, schemaOrRef) || depth > MOST_DEPTH)
    return <div className={css.member}>{head}</div>;
  return (
    <details open={depth === 0 && isRequired}>
      <summary>{head}</summary>
      <SchemaView document={document} schema={schema.items ?? schemaOrRef} depth={depth + 1} />
    </details>
  );
};

/** The members of a shape, nested ones folded. */
export const SchemaView = ({
  document,
  schema: schemaOrRef,
  depth = 0,
}: {
  document: Document;
  schema: Schema;
  depth?: number;
}) => {
  const schema = resolved(document, schemaOrRef);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return <Choices document={document} choices={choices} depth={depth} />;
  if (schema.items) return <SchemaView document={document} schema={schema.items} depth={depth} />;
  if (!schema.properties) return <p className="d">{typeOf(document, schema)}</p>;
  return (
    <div className={css.members}>
      {Object.entries(schema.properties).map(([name, member]) => (
        <Member
          key={name}
          document={document}
          name={name}
          schemaOrRef={member}
          isRequired={schema.required?.includes(name) === true}
          depth={depth}
        />
      ))}
    </div>
  );
};
