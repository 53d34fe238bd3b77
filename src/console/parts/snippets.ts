/** A call to be written as code. */
export interface CodedCall {
  method: string;
  /** Below the API's base. */
  path: string;
  /** JSON text. */
  body?: string | undefined;
  /** Owner of the credentials; the world by default. */
  caller?: "world" | "agent" | "token" | "none";
  /** The body's members are texts of a form with a file. */
  isForm?: boolean;
  /** Name of the file. */
  file?: string | undefined;
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Texts of a form; none while the body is not JSON. */
const textsOf = ({ body = "{}" }: CodedCall): [string, string][] => {
  try {
    return Object.entries(JSON.parse(body)).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
  } catch {
    return [];
  }
};

const fileOf = ({ file = "file.pdf" }: CodedCall) => file;

const curlAuth = ({ caller = "world" }: CodedCall) => {
  if (caller === "none") return "";
  return caller === "agent"
    ? ' -H "authorization: Bearer $AGENT_TOKEN"'
    : ' -u "$SERVICE_SIM_CLIENT_ID:$SERVICE_SIM_CLIENT_SECRET"';
};

const curlBody = (call: CodedCall) => {
  if (call.isForm)
    return [
      `  -F ${shellQuoted(`file=@${fileOf(call)}`)} \\`,
      ...textsOf(call).map(([name, value]) => `  -F ${shellQuoted(`${name}=${value}`)} \\`),
    ];
  return call.body === undefined
    ? []
    : ["  -H 'content-type: application/json' \\", `  -d ${shellQuoted(call.body)} \\`];
};

const scriptVariables = ({ caller = "world" }: CodedCall) => {
  const own = {
    world: ["SERVICE_SIM_CLIENT_ID", "SERVICE_SIM_CLIENT_SECRET"],
    token: ["SERVICE_SIM_CLIENT_ID", "SERVICE_SIM_CLIENT_SECRET"],
    agent: ["AGENT_TOKEN"],
    none: [],
  }[caller];
  return ["SERVICE_SIM_API_URL", ...own].join(", ");
};

const scriptHeaders = ({ caller = "world", body, isForm = false }: CodedCall) => [
  ...(caller === "none"
    ? []
    : caller === "agent"
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: the program that is shown has it
        ["    authorization: `Bearer ${AGENT_TOKEN}`,"]
      : [
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the program that is shown has it
          "    authorization: `Basic ${btoa(`${SERVICE_SIM_CLIENT_ID}:${SERVICE_SIM_CLIENT_SECRET}`)}`,",
        ]),
  ...(body === undefined || isForm ? [] : ['    "content-type": "application/json",']),
];

const scriptForm = (call: CodedCall) =>
  call.isForm
    ? [
        'import { openAsBlob } from "node:fs";',
        "const form = new FormData();",
        `form.set("file", await openAsBlob(${JSON.stringify(fileOf(call))}), ${JSON.stringify(fileOf(call))});`,
        ...textsOf(call).map(
          ([name, value]) => `form.set(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
        ),
      ]
    : [];

const scriptBody = ({ body, isForm = false }: CodedCall) => {
  if (isForm) return ["  body: form,"];
  return body === undefined ? [] : [`  body: JSON.stringify(${body}),`];
};

const pythonAuth = ({ caller = "world" }: CodedCall) => {
  if (caller === "none") return [];
  return caller === "agent"
    ? ['    headers={"authorization": "Bearer " + os.environ["AGENT_TOKEN"]},']
    : ['    auth=(os.environ["SERVICE_SIM_CLIENT_ID"], os.environ["SERVICE_SIM_CLIENT_SECRET"]),'];
};

const pythonBody = (call: CodedCall) => {
  if (call.isForm)
    return [
      `    files={"file": open(${JSON.stringify(fileOf(call))}, "rb")},`,
      `    data=${JSON.stringify(Object.fromEntries(textsOf(call)))},`,
    ];
  return call.body === undefined ? [] : [`    json=json.loads(${JSON.stringify(call.body)}),`];
};

/** The same call in each language, with the variables that `service-sim env` prints; never a secret. */
export const SNIPPETS = {
  curl: (call: CodedCall) =>
    [
      `curl${curlAuth(call)}${call.method === "GET" ? "" : ` -X ${call.method}`} \\`,
      ...curlBody(call),
      `  "$SERVICE_SIM_API_URL${call.path}"`,
    ].join("\n"),
  JavaScript: (call: CodedCall) =>
    [
      ...scriptForm(call),
      `const { ${scriptVariables(call)} } = process.env;`,
      `const response = await fetch(\`\${SERVICE_SIM_API_URL}${call.path}\`, {`,
      `  method: ${JSON.stringify(call.method)},`,
      "  headers: {",
      ...scriptHeaders(call),
      "  },",
      ...scriptBody(call),
      "});",
      "console.log(response.status, await response.json());",
    ].join("\n"),
  Python: (call: CodedCall) =>
    [
      call.body === undefined || call.isForm ? "import os, requests" : "import json, os, requests",
      `response = requests.request(${JSON.stringify(call.method)}, os.environ["SERVICE_SIM_API_URL"] + ${JSON.stringify(call.path)},`,
      ...pythonAuth(call),
      ...pythonBody(call),
      ")",
      "print(response.status_code, response.json())",
    ].join("\n"),
} as const;
