import { readFile } from "node:fs/promises";
import type { ControlClient } from "../../client/control-client.ts";
import { isParameter, leadsTo } from "../../contract/closest-operation.ts";
import { OPERATIONS_OF_ANY_REVISION } from "../../contract/operations.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { userTextOf } from "../../machine/user-text.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { readStandardInput } from "../frame/standard-input.ts";
import { printAnswer, refusalOf } from "../tasks/api-answer.ts";
import { type ApiField, bodyOfFields, formOfFields } from "../tasks/api-fields.ts";
import { type ApiCall, apiCallOf, isWithoutBody, METHODS } from "../tasks/api-request.ts";
import { callPlatform, findPlatform } from "../tasks/platform-client.ts";

/** An id as screens shorten it; nothing else has this form. */
const SHORTENED = /^([A-Za-z]+:)?(…|\.{2,3})[0-9a-f-]{4,36}$/i;

/** The last characters of an id alone: only where an id belongs. */
const TAIL = /^([A-Za-z]+:)?[0-9a-f-]{4,12}$/i;

/** Parameters that hold chosen words instead of ids. */
const NO_IDS: ReadonlySet<string> = new Set(["{code}", "{invitationCode}", "{receiverUmaAddress}"]);

const wholeId = async (client: ControlClient, text: string): Promise<string> =>
  (await reach(client.get<{ id: string }>(`/ids/${encodeURIComponent(text)}`))).id;

/** Leaves a word that fits no id of this world to the platform. */
const wholeIdIfAny = (client: ControlClient, text: string) =>
  wholeId(client, text).catch((error: unknown) => {
    if (error instanceof CommandError && error.code === "ID_NOT_FOUND") return text;
    throw error;
  });

/** The whole id for a shortened one; any other text unchanged. */
const withWholeId = async (client: ControlClient, text: string): Promise<string> =>
  SHORTENED.test(text) ? wholeId(client, text) : text;

const plain = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** A path whose short ids are whole, in the characters that a request may have. */
const withWholeIds = async (
  client: ControlClient,
  { method, path }: { method: string; path: string },
): Promise<string> => {
  const [place = "", ...query] = path.split("?");
  const isOf = (row: (typeof OPERATIONS_OF_ANY_REVISION)[number]) =>
    row.method === method && leadsTo(place, row);
  const template = OPERATIONS_OF_ANY_REVISION.find(isOf)?.path.split("/") ?? [];
  const isOfId = (at: number) => isParameter(template[at]) && !NO_IDS.has(template[at] ?? "");
  const segments = await Promise.all(
    place.split("/").map((segment, at) => {
      if (SHORTENED.test(plain(segment))) return wholeId(client, plain(segment));
      return isOfId(at) && TAIL.test(segment) ? wholeIdIfAny(client, segment) : segment;
    }),
  );
  const whole = [segments.join("/"), ...query].join("?");
  return whole.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
};

const HELP = "service-sim api --help";

const fileAt = async (path: string): Promise<Uint8Array> => {
  if (path === "-") return readStandardInput();
  try {
    return await readFile(path);
  } catch (error) {
    throw usageError(`--data: cannot read ${path}: ${fileFault(error)}`, HELP);
  }
};

const headersOf = ({ lists, options }: Invocation): Record<string, string> => {
  const headers = (lists?.header ?? []).map((line) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw usageError(`--header: Expected a header like name: value but found "${line}"`, HELP);
    return [name.toLowerCase(), value.trim()] as const;
  });
  const { idempotencyKey: key } = options;
  return {
    ...Object.fromEntries(headers),
    ...(typeof key === "string" && { "idempotency-key": key }),
  };
};

/** Bytes of a body and their media type. */
interface Body {
  bytes?: Uint8Array;
  type?: string;
}

const JSON_TYPE = "application/json";

const dataOf = async (data: string): Promise<Body> => {
  const text = data.startsWith("@") ? userTextOf(await fileAt(data.slice(1))) : data;
  return { bytes: Buffer.from(text), type: JSON_TYPE };
};

const bodyOf = async (fields: readonly ApiField[], data: string | undefined): Promise<Body> => {
  if (data !== undefined && fields.length > 0)
    throw usageError(
      `use only one of --data and the field ${fields[0]?.path}`,
      `${fields[0]?.path}==${fields[0]?.value}    adds it to the query`,
    );
  if (data !== undefined) return dataOf(data);
  if (fields.length === 0) return {};
  if (fields.some(({ kind }) => kind === "file")) return formOfFields(fields, fileAt);
  const text = JSON.stringify(await bodyOfFields(fields, fileAt));
  return { bytes: Buffer.from(text), type: JSON_TYPE };
};

const isOfQuery = ({ method }: ApiCall, { kind }: ApiField, hasData: boolean) =>
  kind === "query" || (isWithoutBody(method) && kind !== "file" && !hasData);

const withQuery = (path: string, fields: readonly ApiField[]) => {
  if (fields.length === 0) return path;
  const query = new URLSearchParams(fields.map(({ path: name, value }) => [name, value]));
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
};

const textOf = (option: string | boolean | undefined) =>
  typeof option === "string" ? option : undefined;

const send = async (invocation: Invocation) => {
  const { args, options } = invocation;
  const data = textOf(options.data);
  const headers = headersOf(invocation);
  const { client } = findInstance(invocation);
  const call = apiCallOf(args, { url: client.url, hasData: data !== undefined });
  const fields = await Promise.all(
    call.fields.map(async (field) => ({ ...field, value: await withWholeId(client, field.value) })),
  );
  const isAsked = (field: ApiField) => isOfQuery(call, field, data !== undefined);
  const { bytes, type } = await bodyOf(
    fields.filter((field) => !isAsked(field)),
    data,
  );
  const platform = await findPlatform(invocation, headers);
  const path = withQuery(await withWholeIds(client, call), fields.filter(isAsked));
  const answer = await callPlatform(platform, {
    method: call.method,
    path,
    headers: { ...(type !== undefined && { "content-type": type }), ...headers },
    body: bytes,
  });
  return { answer, fields };
};

const OPERATION_IDS = OPERATIONS_OF_ANY_REVISION.map(({ operationId }) => operationId).sort();

const pathsOf = (method: string) =>
  OPERATIONS_OF_ANY_REVISION.filter((row) => row.method === method)
    .map(({ path }) => path)
    .sort();

export const command: Command = {
  name: "api",
  summary: "call the platform's API with the stored credentials",
  operands: "<call...>",
  usage: "<METHOD path|operation> [field=value ...]",
  completes: {
    words: [...METHODS, ...OPERATION_IDS],
    after: Object.fromEntries(METHODS.map((method) => [method, pathsOf(method)])),
  },
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--data <json|@file>",
      summary: "send this body instead of fields; @file reads a file, @- stdin",
      noEnvironment: true,
    },
    {
      flags: "-H, --header <name: value>",
      summary: "send a header; may be repeated",
      noEnvironment: true,
      repeats: true,
    },
    {
      flags: "--idempotency-key <key>",
      summary: "calls with the same key repeat the first answer",
      noEnvironment: true,
    },
    {
      flags: "-i, --include",
      summary: "print the status and the headers above the body",
      noEnvironment: true,
    },
    {
      flags: "--pick <member>",
      summary: "print only this member of the answer, e.g. data[0].id",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim api POST /customers customerType=INDIVIDUAL fullName='Ada Byron'",
    "service-sim api GET /customers limit=5",
    "service-sim api GET /quotes/…8e4b17 -i",
    "service-sim api POST /sandbox/internal-accounts/…a7ac95/fund amount:=250000",
    'service-sim api createCustomer --data \'{"customerType":"BUSINESS"}\' --quiet',
  ],
  notes: [
    "name=value    text; nested: a.b=, a[0]=, a[]=",
    "name:=value   JSON: 5, true, null, a list; :=@file",
    "name==value   query; with GET, DELETE also = and :=",
    "name@file     upload of a file, as a form",
  ],
  run: async (invocation, terminal) => {
    const { include, pick, color } = invocation.options;
    const { answer, fields } = await send(invocation);
    const options = {
      withHead: include === true,
      pick: textOf(pick),
      isColored: color === "always",
    };
    printAnswer(answer, options, terminal);
    const refusal = refusalOf(answer, fields);
    if (refusal) terminal.complain(refusal);
    return refusal ? EXIT.notDone : EXIT.done;
  },
};
