import type * as z from "zod";
import { shapeIn } from "../../contract/core/revised-shape.ts";
import { FIRST_REVISION, type Revision } from "../../contract/core/revision-names.ts";
import {
  hasChange,
  type RevisionChange,
  type RevisionFeature,
} from "../../contract/core/revisions.ts";
import {
  type AnyOperationId,
  type OperationPath,
  type OperationRow,
  operationRow,
} from "../../contract/operations.ts";
import type { Permission } from "../../contract/platform/tokens.ts";
import type { RefusalWord } from "../../contract/refusals.ts";
import type { AgentAccess } from "../../domain/agents/agent-access.ts";
import type { Reading } from "../../domain/core/draft.ts";
import type { SignedCall } from "../../domain/wallets/signed-operations.ts";
import type { Upload } from "../body/upload-body.ts";
import type { Call } from "./call.ts";

/** Names between braces: `/quotes/{quoteId}` has `{quoteId: string}`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & ParamsOf<Rest>
  : object;

type QueryShape = Record<string, z.ZodType>;

/** The page of an operation for browsers: one path, or one that its parameters say. */
export type Redirect = string | ((params: Readonly<Record<string, string>>) => string);

/** Differences of an operation since a change, beside those that its shapes carry themselves. */
export interface LaterForm {
  change: RevisionChange;
  /** Success status and shape. */
  replies?: readonly [status: number, shape: z.ZodType];
  /** A further success of the contract, which no rule of the simulator gives. */
  unusedReply?: readonly [status: number, says: string, shape: z.ZodType];
  /** Takes no signature any more; a reading tells which calls still need none. */
  isUnsigned?: true | Endpoint["isUnsigned"];
  /** Takes a body. */
  body?: z.ZodType;
  /** Further errors of it. */
  refuses?: readonly RefusalWord[];
  /** Takes the signature in another way. */
  signing?: Signing;
  /** Finds what the path names in another way. */
  subject?: Endpoint["subject"];
  /** Does something else. */
  handle?: Endpoint["handle"];
}

/** The same as an operation declares it, with the types of its input. */
type DeclaredForm<Spec extends { isUnsigned?: unknown; subject?: unknown; handle: unknown }> = Omit<
  LaterForm,
  "isUnsigned" | "subject" | "handle"
> & {
  isUnsigned?: true | Spec["isUnsigned"];
  subject?: Spec["subject"];
  handle?: Spec["handle"];
};

/** Ways in which an operation takes the signature of a wallet's owner. */
export type Signing = "retry" | "request-id" | "standing";

/** An operation as it is declared. */
export interface EndpointSpec<
  Path extends string,
  Query extends QueryShape,
  Body extends z.ZodType,
  Reply,
  World,
> {
  operationId: string;
  /** One sentence for the OpenAPI document. */
  summary: string;
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: Path;
  /**
   * Permission that the caller's API token must grant; "none", the default, for calls without one.
   */
  permission?: Permission | "none";
  /** Called by agents with their own token: what that takes of the agent's policy. */
  agentAccess?: AgentAccess;
  query?: Query;
  body?: Body;
  /** Largest body, where the usual bound is too small. */
  bodyLimitBytes?: number;
  /** The body comes as a form with a file in it, not as JSON. */
  upload?: Upload;
  /** Success status and shape; the media types where it is not JSON. */
  replies: readonly [status: number, shape: z.ZodType, ...mediaTypes: string[]];
  /** The page to which browsers are sent instead, with status 302; it may depend on the path. */
  redirects?: Redirect;
  /** A further path that it answers, outside the base of its surface. */
  alsoAt?: string;
  /** Documented errors of this operation, beyond those every operation has. */
  refuses: readonly RefusalWord[];
  /** Its form since a change, where that is another one. */
  later?: DeclaredForm<Omit<EndpointSpec<Path, Query, Body, Reply, World>, "later">>;
  /** The change since which its refusals of fields list all of them. */
  listsFieldsSince?: RevisionChange;
  /** Takes `Idempotency-Key`: the same key gets the first answer again. */
  idempotent?: true;
  /** Must have an `Idempotency-Key`; 400 without one. */
  needsKey?: true;
  /** Takes or gives a file, which has no brand: neither body nor reply is translated. */
  isOfFile?: true;
  /** Means no world: it is answered at once by the default one, whatever is due there. */
  isWorldless?: true;
  /** Tells of its process, or finds its worlds by itself: whichever process is asked answers it. */
  isOfProcess?: true;
  /** Asks nothing of the records of its world: it is answered at once, whatever is due there. */
  isAtOnce?: true;
  /**
   * "retry": a call without signature headers is answered 202 with what to sign, and the same call
   * with its answer happens. "request-id": only takes the header that names a challenge.
   * "standing": only takes a signature, over a text that stands already.
   */
  signing?: Signing;
  /**
   * True for a call that needs no signature, judged by its raw body, where only some calls are
   * signed. The signature headers are then ignored, even a used Request-Id.
   */
  isUnsigned?: Reading<{ params: ParamsOf<Path>; body: unknown; call: SignedCall }, boolean>;
  /**
   * Answers also where the world was dropped while it ran, since it waits for what comes or moves
   * the world itself. Others are then refused with `UNAVAILABLE`, whatever they found.
   */
  outlivesReset?: true;
  /** Answers while the store is in trouble, from what this process knows: it tells of that trouble. */
  tellsTrouble?: true;
  /** Finds what the path names, before the body is looked at: its 404 comes first. */
  subject?: Reading<{ params: ParamsOf<Path>; agentId: string; search: URLSearchParams }, unknown>;
  handle(
    input: {
      params: ParamsOf<Path>;
      query: { [K in keyof Query]: z.infer<Query[K]> };
      body: z.infer<Body>;
    },
    call: Call,
    world: World,
  ): Reply | Promise<Reply>;
}

/** Input of an endpoint after all checks, its types forgotten. */
export interface EndpointInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/** One operation: what it accepts, who may call it, what it may refuse, and what it does. */
export interface Endpoint<World = never> {
  operationId: string;
  summary: string;
  method: string;
  path: string;
  permission: Permission | "none";
  agentAccess: AgentAccess | undefined;
  query: QueryShape;
  body: z.ZodType | undefined;
  bodyLimitBytes: number | undefined;
  upload: Upload | undefined;
  replies: readonly [status: number, shape: z.ZodType, ...mediaTypes: string[]];
  unusedReply?: LaterForm["unusedReply"] | undefined;
  redirects: Redirect | undefined;
  alsoAt: string | undefined;
  refuses: readonly RefusalWord[];
  /** The feature that brought it; earlier revisions have no such operation. */
  since: RevisionFeature | undefined;
  later: LaterForm | undefined;
  listsFieldsSince: RevisionChange | undefined;
  idempotent: boolean;
  needsKey: boolean;
  isOfFile: boolean;
  isWorldless: boolean;
  isOfProcess: boolean;
  isAtOnce: boolean;
  signing: Signing | undefined;
  outlivesReset: boolean;
  tellsTrouble: boolean;
  isUnsigned: ((view: never, input: never, moment: never) => boolean) | undefined;
  subject: ((view: never, input: never, moment: never) => unknown) | undefined;
  handle(input: EndpointInput, call: Call, world: World): unknown;
}

/** Declares operations of a surface whose calls are given a `World`. */
export const endpointOn =
  <World>() =>
  <
    Path extends string,
    Reply,
    Query extends QueryShape = Record<never, never>,
    Body extends z.ZodType = z.ZodType,
  >(
    spec: EndpointSpec<Path, Query, Body, Reply, World>,
  ): Endpoint<World> => ({
    ...spec,
    permission: spec.permission ?? "none",
    agentAccess: spec.agentAccess,
    query: spec.query ?? {},
    body: spec.body,
    bodyLimitBytes: spec.bodyLimitBytes,
    upload: spec.upload,
    redirects: spec.redirects,
    alsoAt: spec.alsoAt,
    since: undefined,
    later: spec.later as LaterForm | undefined,
    listsFieldsSince: spec.listsFieldsSince,
    idempotent: spec.idempotent === true || spec.needsKey === true,
    needsKey: spec.needsKey === true,
    isOfFile: spec.isOfFile === true,
    isWorldless: spec.isWorldless === true,
    isOfProcess: spec.isOfProcess === true,
    isAtOnce: spec.isWorldless === true || spec.isAtOnce === true,
    signing: spec.signing,
    outlivesReset: spec.outlivesReset === true,
    tellsTrouble: spec.tellsTrouble === true,
    isUnsigned: spec.isUnsigned,
    subject: spec.subject,
    handle: spec.handle as unknown as Endpoint<World>["handle"],
  });

/** Members that the table of operations has. */
type OfRow = "operationId" | "method" | "path" | "permission";

/** The permission that an API token must grant: agents have a policy instead. */
const tokenPermission = ({ auth, permission }: OperationRow) =>
  (auth.startsWith("B") ? permission : "none") as Permission | "none";

/**
 * Declares an operation of the platform, whose method, path and permission are in the table of
 * operations; routing, validation and the OpenAPI document are made from both.
 */
export const endpoint = <
  Id extends AnyOperationId,
  Reply,
  Query extends QueryShape = Record<never, never>,
  Body extends z.ZodType = z.ZodType,
>(
  id: Id,
  spec: Omit<EndpointSpec<OperationPath<Id>, Query, Body, Reply, unknown>, OfRow>,
): Endpoint<unknown> => {
  const row = operationRow(id);
  const { method, path, operationId, since } = row;
  const own = { operationId, method, path: path as OperationPath<Id> };
  const made = endpointOn<unknown>()({ ...spec, ...own, permission: tokenPermission(row) });
  return { ...made, since };
};

const formsIn = new Map<Revision, WeakMap<object, unknown>>();

/**
 * An operation as a revision has it, with its shapes; nothing where the revision has no such
 * operation.
 */
export const formIn = <World>(
  endpoint: Endpoint<World>,
  revision: Revision,
): Endpoint<World> | undefined => {
  if (endpoint.since && !hasChange(revision, endpoint.since)) return undefined;
  if (revision === FIRST_REVISION) return endpoint;
  const forms = formsIn.get(revision) ?? new WeakMap<object, unknown>();
  formsIn.set(revision, forms);
  const form = (forms.get(endpoint) ?? laterForm(endpoint, revision)) as Endpoint<World>;
  forms.set(endpoint, form);
  return form;
};

const inRevision = (
  [status, says, shape]: NonNullable<LaterForm["unusedReply"]>,
  revision: Revision,
) => [status, says, shapeIn(shape, revision)] as const;

const laterForm = <World>(endpoint: Endpoint<World>, revision: Revision): Endpoint<World> => {
  const { later, body } = endpoint;
  const form = later && hasChange(revision, later.change) ? later : undefined;
  const taken = form?.body ?? body;
  const [status, shape, ...mediaTypes] = form?.replies ?? endpoint.replies;
  return {
    ...endpoint,
    query: Object.fromEntries(
      Object.entries(endpoint.query).map(([name, one]) => [name, shapeIn(one, revision)]),
    ),
    body: taken && shapeIn(taken, revision),
    replies: [status, shapeIn(shape, revision), ...mediaTypes],
    unusedReply: form?.unusedReply && inRevision(form.unusedReply, revision),
    refuses: [...endpoint.refuses, ...(form?.refuses ?? [])],
    signing: form?.signing ?? endpoint.signing,
    subject: form?.subject ?? endpoint.subject,
    handle: (form?.handle as typeof endpoint.handle | undefined) ?? endpoint.handle,
    ...(form?.isUnsigned === true
      ? { signing: undefined, isUnsigned: undefined }
      : form?.isUnsigned && { isUnsigned: form.isUnsigned }),
  };
};

/** Names of the path's parameters, in order. */
export const pathParams = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
