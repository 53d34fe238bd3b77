import * as z from "zod";
import { enumOf } from "../core/named-shape.ts";
import { shapeIn } from "../core/revised-shape.ts";
import { LATEST_REVISION, REVISIONS } from "../core/revision-names.ts";
import { Amount } from "../core/scalars.ts";
import { FixtureTrouble, fixtureTroubleMembers } from "../core/webhook-troubles.ts";
import { END_USER_TERMS_MODES } from "../core/world-settings.ts";
import { currencyCodesOf } from "../money/currencies.ts";
import { ConfigPatch } from "./config.ts";
import { ANY_CUSTOMER_INFO_FIELDS } from "./customer-info-fields.ts";
import { Generate, generateMembers } from "./generate.ts";

const REFERENCES = `\${customer.id} stands for a member of an earlier step's answer`;

const STATUS = "Expected a status from 200 to 599";

/** Name of a fixture or a scenario. */
export const FixtureName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    "Expected at most 64 letters, digits, dots, dashes and underscores",
  )
  .describe("Name that service-sim status shows for a world started with it");

/** Name of a step, which references use. */
export const StepName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    "Expected a letter, then at most 63 letters, digits, dashes and underscores",
  )
  .describe("Names the answer, so that later steps can refer to it");

/** Revisions of the world in which a step runs: all of them, where none is named. */
export const stepRevisions = () => ({
  since: enumOf("Revision", REVISIONS)
    .optional()
    .describe("Runs only in a world of this revision, or of a later one"),
  before: enumOf("Revision", REVISIONS)
    .optional()
    .describe("Runs only in a world of an earlier revision than this"),
});

const RequestPath = z.lazy(() =>
  z
    .string()
    .regex(/^\/[^\s#/][^\s#]*$/, "Expected a path that begins with / and has no spaces")
    .describe(
      "Below the API's base, like /customers; or an operator's hook, like " +
        `/_sim/internal-accounts. ${REFERENCES}`,
    ),
);

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "Expected the name of a header");

const HeaderValue = z.lazy(() =>
  z.string().regex(/^[^\r\n]*$/, "Expected the value of a header, on one line"),
);

/** One call, as a client of the platform or its operator would make it. */
export const FixtureRequest = z.lazy(() =>
  z.strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: RequestPath,
    headers: z
      .record(HeaderName, HeaderValue)
      .optional()
      .describe(
        `Headers, without the credentials and the media type, which are added automatically. ${REFERENCES}`,
      ),
    body: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        `Sent as JSON. A string that is exactly one reference takes the type of its value. ${REFERENCES}`,
      ),
    expect: z
      .int()
      .min(200, STATUS)
      .max(599, STATUS)
      .optional()
      .describe("Status the answer must have; any 2xx if omitted"),
  }),
);

const RequestStep = z.lazy(() =>
  z
    .strictObject({ name: StepName.optional(), request: FixtureRequest, ...stepRevisions() })
    .describe("A request to the platform or to an operator's hook"),
);

/** A step that moves the clock. */
export const ClockStep = z.lazy(() =>
  z
    .strictObject({
      advance: z
        .string()
        .min(1)
        .describe("Span to move the clock: 90s, 6m, 1h30m, 7d or PT6M")
        .meta({ examples: ["6m", "24h"] }),
      ...stepRevisions(),
    })
    .describe("Moves the clock and does everything that is due on the way"),
);

/**
 * Fields by currency that only the provider sets: a fixture can, PATCH /config cannot
 * (spec/config.md#provider-fields).
 */
export const ProviderFields = z.lazy(() =>
  z.object({
    providerRequiredCustomerFields: z
      .array(enumOf("AnyCustomerInfoField", ANY_CUSTOMER_INFO_FIELDS))
      .optional()
      .describe("Information a customer must give to hold the currency"),
    providerRequiredCounterpartyCustomerFields: z
      .array(enumOf("AnyCustomerInfoField", ANY_CUSTOMER_INFO_FIELDS))
      .optional()
      .describe("Information the other side of a payment in it must give"),
  }),
);

/** Members of a configuration in any revision; a world passes over those that it does not know. */
const strictConfig = () => {
  const { supportedCurrencies, ...patch } = shapeIn(ConfigPatch, LATEST_REVISION).unwrap().shape;
  const entry = supportedCurrencies.unwrap().element.unwrap();
  return z.strictObject({
    ...patch,
    isRegulatedFinancialInstitution: z
      .boolean()
      .optional()
      .describe("Approves new businesses without a verification"),
    endUserTerms: z
      .enum(END_USER_TERMS_MODES)
      .optional()
      .describe("Whether customers need a recorded consent, as start --end-user-terms says it"),
    supportedCurrencies: z.array(entry.safeExtend(ProviderFields.unwrap().shape)).optional(),
  });
};

const byCurrency = <Value extends z.ZodType>(value: Value) =>
  z.partialRecord(z.enum(currencyCodesOf(LATEST_REVISION)), value);

/** Limits of payments in one currency (spec/later-payments.md#transaction-limits). */
const Limit = () =>
  z.strictObject({
    maxTransactionAmount: Amount.optional().describe("Largest amount of one payment"),
    dailyVolume: Amount.optional().describe("Largest sum of the payments of a day in UTC"),
  });

/** A fixture: configuration and rates, then requests and clock steps in order. */
export const Fixture = z.lazy(() =>
  z
    .strictObject({
      $schema: z.string().optional().describe("Address of this schema, for editors"),
      name: FixtureName,
      description: z.string().max(1000).optional().describe("Purpose of the world"),
      config: strictConfig()
        .optional()
        .describe("Body of PATCH /config, sent first, with fields that only the provider sets"),
      rates: byCurrency(z.string())
        .optional()
        .describe('Units of a currency for one US dollar, like "0.93"; set before the steps'),
      limits: byCurrency(Limit())
        .optional()
        .describe("Limits of payments by currency, in the smallest unit; set before the steps"),
      approvals: z
        .enum(["ask", "approve", "reject"])
        .optional()
        .describe("Who decides on waiting actions of agents: a person, or the simulator at once"),
      troubles: z
        .array(FixtureTrouble)
        .max(100)
        .optional()
        .describe("Troubles of the world's next webhooks; set before the steps"),
      steps: z
        .array(z.union([RequestStep, ClockStep]))
        .default([])
        .describe("Steps that follow, in order"),
      generate: Generate.optional().describe("Records to generate after the steps"),
    })
    .meta({ title: "service-sim fixture" }),
);

export type Fixture = z.infer<typeof Fixture>;
export type FixtureStep = Fixture["steps"][number];
export type RequestStep = z.infer<typeof RequestStep>;

/**
 * Members that an object of a fixture may have, by its path; undefined where any member may stand.
 */
export const knownMembers = (path: readonly (string | number)[]): readonly string[] | undefined => {
  const [first, , third] = path;
  if (first === undefined) return Object.keys(Fixture.unwrap().shape);
  if (first === "config" && path.length === 1) return Object.keys(strictConfig().shape);
  if (first === "limits" && path.length === 2) return Object.keys(Limit().shape);
  if (first === "troubles") return path.length === 2 ? fixtureTroubleMembers() : undefined;
  if (first === "generate") return generateMembers(path.slice(1));
  if (first !== "steps") return undefined;
  if (path.length === 2)
    return Object.keys({ ...RequestStep.unwrap().shape, ...ClockStep.unwrap().shape });
  return third === "request" && path.length === 3
    ? Object.keys(FixtureRequest.unwrap().shape)
    : undefined;
};

/** Removes the second name of shared definitions, which editors do not know. */
const withoutIds = (definitions: Record<string, object>) =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, { id: _name, ...rest }]: [string, { id?: string }]) => [
      name,
      rest,
    ]),
  );

/** The published JSON Schema of a fixture. */
export const fixtureSchema = (): Record<string, unknown> => schemaForEditors(Fixture);

/** The JSON Schema of a file that people write, in the draft that editors support best. */
export const schemaForEditors = (document: z.ZodType): Record<string, unknown> => {
  const { definitions = {}, ...schema } = z.toJSONSchema(document, {
    io: "input",
    unrepresentable: "any",
    target: "draft-7",
  }) as Record<string, unknown>;
  return { ...schema, definitions: withoutIds(definitions as Record<string, object>) };
};
