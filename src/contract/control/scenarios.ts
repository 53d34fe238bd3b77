import * as z from "zod";
import { enumOf } from "../core/named-shape.ts";
import {
  ClockStep,
  FixtureName,
  FixtureRequest,
  StepName,
  schemaForEditors,
  stepRevisions,
} from "../platform/fixtures.ts";
import { DELIVERY_STATES } from "../webhooks/delivery-states.ts";
import { EVENT_TYPES } from "../webhooks/events.ts";

const STATUS = "Expected a status from 200 to 599";

const REFERENCES = `\${customer.id} stands for a member of an earlier step's answer`;

const Note = z.string().max(200).optional().describe("Purpose of the step, in a few words");

const Text = (description: string) => z.string().min(1).describe(`${description}. ${REFERENCES}`);

const UploadedFile = z.lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).describe("Name of the file"),
      text: Text("Content of the file"),
    })
    .describe("Sent in the part `file` of a form, with the members of body as its other fields"),
);

/** A request of a scenario: any call of either surface, or an upload. */
const ScenarioRequest = z.lazy(() =>
  FixtureRequest.unwrap().omit({ expect: true }).extend({ file: UploadedFile.optional() }),
);

const Expectation = z.lazy(() =>
  z
    .strictObject({
      status: z
        .int()
        .min(200, STATUS)
        .max(599, STATUS)
        .optional()
        .describe("Status of the answer; any 2xx if omitted"),
      lost: z
        .literal(true)
        .optional()
        .describe("The connection ends before an answer, as a fault can cause it"),
      body: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          "Members that the answer must have, by path like data.0.balance.amount. Of an object " +
            `the named members are compared, of a list every item. ${REFERENCES}`,
        ),
    })
    .describe("Expected answer"),
);

const stepOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ name: StepName.optional(), note: Note, ...shape, ...stepRevisions() });

const RequestStep = () =>
  stepOf({ request: ScenarioRequest, expect: Expectation.optional() }).describe(
    "A call of the platform, or of the control surface below /_sim",
  );

const AdvanceStep = () => ClockStep.unwrap().safeExtend({ name: StepName.optional(), note: Note });

const WebhookStep = () =>
  stepOf({
    webhook: z.strictObject({
      type: enumOf("EventType", EVENT_TYPES).optional().describe("Type of the event"),
      about: Text("Id of the record that the event is about").optional(),
      state: enumOf("DeliveryState", DELIVERY_STATES)
        .optional()
        .describe("State of its delivery; any if omitted"),
      count: z
        .int()
        .min(0)
        .max(1000)
        .optional()
        .describe("Exact number so far; at least one if omitted"),
    }),
  }).describe("Events of the world since the scenario began, sent or stored");

const ReceiverAnswer = z.lazy(() =>
  z.strictObject({
    type: enumOf("EventType", EVENT_TYPES).optional().describe("Type of event; any if omitted"),
    status: z.int().min(200, STATUS).max(599, STATUS).describe("Status to answer with"),
    body: z.record(z.string(), z.unknown()).optional().describe("Answered as JSON"),
    times: z.int().min(1).max(1000).optional().describe("Number of times; always if omitted"),
  }),
);

const ReceiverStep = () =>
  stepOf({
    receiver: z.strictObject({
      answers: z
        .array(ReceiverAnswer)
        .optional()
        .describe("The first that fits an event answers it; 200 when none does"),
    }),
  }).describe("Starts a receiver of webhooks until the end of the run: the answer has url");

const BalanceStep = () =>
  stepOf({
    balance: z.strictObject({
      account: Text("Id of an internal account"),
      amount: z.int().describe("Balance in minor units of the account's currency"),
    }),
  }).describe("Current balance of an account");

const KeyPairStep = () =>
  stepOf({ keyPair: z.strictObject({}) }).describe(
    "Makes a client's keys: the answer has publicKey and privateKey",
  );

const OpenSessionStep = () =>
  stepOf({
    openSession: z.strictObject({
      bundle: Text("encryptedSessionSigningKey of the answer to a sign-in"),
      key: Text("Private key of the client that signed in"),
    }),
  }).describe("Opens a session's key: the answer has publicKey and privateKey");

const SealCodeStep = () =>
  stepOf({
    sealCode: z.strictObject({
      bundle: Text("otpEncryptionTargetBundle of the answer to a challenge"),
      code: Text("One-time code"),
      publicKey: Text("Public key of the client that signs in"),
    }),
  }).describe("Seals a one-time code: the answer has encryptedOtpBundle");

const OpenExportStep = () =>
  stepOf({
    openExport: z.strictObject({
      bundle: Text("encryptedWalletCredentials of the answer to an export"),
      key: Text("Private key of the client that asked for it"),
    }),
  }).describe("Opens a wallet's export: the answer has mnemonic and organizationId");

const SignStep = () =>
  stepOf({
    sign: z.strictObject({
      payload: Text("payloadToSign of an answer"),
      key: Text("Private key of the session"),
    }),
  }).describe("Signs a wallet operation: the answer has signature");

const CreatePasskeyStep = () =>
  stepOf({
    createPasskey: z.strictObject({
      challenge: Text("Challenge of the registration"),
      rpId: z.string().min(1).optional().describe("Relying party; localhost if omitted"),
      algorithm: z.enum(["ES256", "EdDSA", "RS256"]).optional().describe("ES256 if omitted"),
    }),
  }).describe("Makes a passkey: the answer has challenge and attestation");

const UsePasskeyStep = () =>
  stepOf({
    usePasskey: z.strictObject({
      passkey: StepName.describe("Name of the step that made the passkey"),
      challenge: Text("Challenge of the sign-in"),
    }),
  }).describe("Signs in with a passkey: the answer has assertion");

/** Kinds of step by the member that each is known by (spec/scenarios.md#steps). */
const STEPS = {
  request: RequestStep,
  advance: AdvanceStep,
  webhook: WebhookStep,
  balance: BalanceStep,
  receiver: ReceiverStep,
  keyPair: KeyPairStep,
  openSession: OpenSessionStep,
  sealCode: SealCodeStep,
  openExport: OpenExportStep,
  sign: SignStep,
  createPasskey: CreatePasskeyStep,
  usePasskey: UsePasskeyStep,
} as const;

/** A kind of step. */
export type StepKind = keyof typeof STEPS;

/** Every kind of step, in the order of the schema. */
export const STEP_KINDS = Object.keys(STEPS) as StepKind[];

/** The kind that a step says it is. */
export const kindOfStep = (step: object): StepKind | undefined =>
  STEP_KINDS.find((kind) => kind in step);

const AnyStep = z.lazy(() =>
  z.union([
    RequestStep(),
    AdvanceStep(),
    WebhookStep(),
    BalanceStep(),
    ReceiverStep(),
    KeyPairStep(),
    OpenSessionStep(),
    SealCodeStep(),
    OpenExportStep(),
    SignStep(),
    CreatePasskeyStep(),
    UsePasskeyStep(),
  ]),
);

/** A scenario: steps in order, with what each must bring about. */
export const Scenario = z.lazy(() =>
  z
    .strictObject({
      $schema: z.string().optional().describe("Address of this schema, for editors"),
      name: FixtureName.describe("Name of the scenario"),
      description: z.string().max(1000).optional().describe("What the scenario shows"),
      steps: z.array(AnyStep).min(1).describe("Steps, in order; the first that fails ends the run"),
    })
    .meta({ title: "service-sim scenario" }),
);

export type Scenario = z.infer<typeof Scenario>;
export type ScenarioStep = Scenario["steps"][number];
export type ScenarioStepOf<K extends StepKind> = Extract<ScenarioStep, Record<K, unknown>>;
export type Expectation = z.infer<typeof Expectation>;
export type ReceiverAnswer = z.infer<typeof ReceiverAnswer>;

const membersOf = (kind: StepKind) => STEPS[kind]().shape as Record<string, z.ZodType>;

const unwrapped = (shape: z.ZodType | undefined): z.ZodType | undefined => {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodLazy)
    return unwrapped(shape.unwrap() as z.ZodType);
  return shape;
};

/**
 * Members that an object of a scenario may have, by its path and the kind of its step; undefined
 * where any member may stand.
 */
export const scenarioMembers = (
  path: readonly (string | number)[],
  kind: StepKind | undefined,
): readonly string[] | undefined => {
  const [first, , ...inside] = path;
  if (first === undefined) return Object.keys(Scenario.unwrap().shape);
  if (first !== "steps") return undefined;
  if (inside.length === 0) return kind ? Object.keys(membersOf(kind)) : ["name", ...STEP_KINDS];
  if (!kind) return undefined;
  let shape: z.ZodType | undefined = STEPS[kind]();
  for (const name of inside)
    shape = shape instanceof z.ZodObject ? unwrapped(shape.shape[name]) : undefined;
  return shape instanceof z.ZodObject ? Object.keys(shape.shape) : undefined;
};

/** The published JSON Schema of a scenario. */
export const scenarioSchema = (): Record<string, unknown> => schemaForEditors(Scenario);
