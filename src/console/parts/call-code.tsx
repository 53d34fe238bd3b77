import { useState } from "react";
import { Copy } from "./copy.tsx";
import { Json } from "./json.tsx";
import { Pane } from "./pane.tsx";

/** A call to be written as code. */
export interface CodedCall {
  method: string;
  /** Below the API's base. */
  path: string;
  /** JSON text. */
  body?: string | undefined;
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same call in each language, with the variables that `service-sim env` prints; never a secret. */
export const SNIPPETS = {
  curl: ({ method, path, body }: CodedCall) =>
    [
      `curl -u "$SERVICE_SIM_CLIENT_ID:$SERVICE_SIM_CLIENT_SECRET"${method === "GET" ? "" : ` -X ${method}`} \\`,
      ...(body === undefined
        ? []
        : ["  -H 'content-type: application/json' \\", `  -d ${shellQuoted(body)} \\`]),
      `  "$SERVICE_SIM_API_URL${path}"`,
    ].join("\n"),
  JavaScript: ({ method, path, body }: CodedCall) =>
    [
      "const { SERVICE_SIM_API_URL, SERVICE_SIM_CLIENT_ID, SERVICE_SIM_CLIENT_SECRET } = process.env;",
      `const response = await fetch(\`\${SERVICE_SIM_API_URL}${path}\`, {`,
      `  method: ${JSON.stringify(method)},`,
      "  headers: {",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the program that is shown has it
      "    authorization: `Basic ${btoa(`${SERVICE_SIM_CLIENT_ID}:${SERVICE_SIM_CLIENT_SECRET}`)}`,",
      ...(body === undefined ? [] : ['    "content-type": "application/json",']),
      "  },",
      ...(body === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
      "});",
      "console.log(response.status, await response.json());",
    ].join("\n"),
  Python: ({ method, path, body }: CodedCall) =>
    [
      "import os, requests",
      `response = requests.request(${JSON.stringify(method)}, os.environ["SERVICE_SIM_API_URL"] + ${JSON.stringify(path)},`,
      '    auth=(os.environ["SERVICE_SIM_CLIENT_ID"], os.environ["SERVICE_SIM_CLIENT_SECRET"]),',
      ...(body === undefined
        ? []
        : [
            '    headers={"content-type": "application/json"},',
            `    data=${JSON.stringify(body)},`,
          ]),
      ")",
      "print(response.status_code, response.json())",
    ].join("\n"),
} as const;

/** A call as code to copy, in one of several languages. */
export const CallCode = ({ of }: { of: CodedCall }) => {
  const [language, setLanguage] = useState<keyof typeof SNIPPETS>("curl");
  const text = SNIPPETS[language](of);
  return (
    <Pane
      title="As code"
      isQuiet
      end={
        <span className="seg">
          {(Object.keys(SNIPPETS) as (keyof typeof SNIPPETS)[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </span>
      }
    >
      <Json text={text} label={`As ${language}`} />
      <div className="acts">
        <Copy text={text} what={`it as ${language}`} label="Copy" />
      </div>
    </Pane>
  );
};
