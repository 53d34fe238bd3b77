import * as z from "zod";
import { latestTypeRow } from "../../../contract/accounts/external-account-types.ts";
import {
  type AccountInfo,
  AccountInfoInput,
  VERIFICATION_STATUSES as CHECKED,
  EXTERNAL_ACCOUNT_STATUSES,
  OWNERSHIP_STATUSES,
  OWNERSHIP_TYPES,
} from "../../../contract/accounts/external-accounts.ts";
import {
  INTERNAL_ACCOUNT_STATUSES,
  INTERNAL_ACCOUNT_TYPES,
} from "../../../contract/accounts/internal-accounts.ts";
import {
  type PaymentInstructions as Instructions,
  PaymentInstructions,
} from "../../../contract/accounts/payment-instructions.ts";
import { Address } from "../../../contract/core/addresses.ts";
import { shapeIn } from "../../../contract/core/revised-shape.ts";
import { LATEST_REVISION, REVISIONS } from "../../../contract/core/revision-names.ts";
import { OWNER_ROLES, PersonalInfo } from "../../../contract/customers/beneficial-owners.ts";
import {
  BULK_JOB_STATUSES,
  BulkError,
  BulkRow,
} from "../../../contract/customers/bulk-customers.ts";
import { BusinessInfoPatch } from "../../../contract/customers/businesses.ts";
import { ANY_CUSTOMER_STATUSES } from "../../../contract/customers/customer-statuses.ts";
import { DOCUMENT_SIDES, DOCUMENT_TYPES } from "../../../contract/customers/documents.ts";
import { dueDiligenceInput } from "../../../contract/customers/due-diligence.ts";
import { EndUserTermsConsent } from "../../../contract/customers/end-user-terms.ts";
import {
  VERIFICATION_STATUSES,
  VerificationError,
} from "../../../contract/customers/verifications.ts";
import type {
  BeneficialOwnerRecord,
  KycLinkRecord,
  VerificationRecord,
} from "../business-records.ts";
import type { CustomerRecord, ExternalAccountRecord, InternalAccountRecord } from "../records.ts";
import {
  type BulkErrorsRecord,
  type BulkRowsRecord,
  DOCUMENT_MEDIA_TYPES,
  type DocumentRecord,
  type JobRecord,
} from "../upload-records.ts";
import {
  Count,
  Currency,
  Digest,
  Flag,
  Id,
  oneOf,
  StoredInstant,
  stamps,
  stored,
  Text,
} from "./stored-values.ts";

/** Details of an account that any revision takes: worlds change theirs, and records stay. */
const StoredAccountInfo = z.custom<AccountInfo>().check((ctx) => {
  const judged = REVISIONS.map((revision) =>
    shapeIn(AccountInfoInput, revision).safeParse(ctx.value),
  );
  if (judged.some(({ success }) => success)) return;
  const [first] = judged;
  for (const issue of first?.error?.issues ?? [])
    ctx.issues.push({ ...issue, input: ctx.value } as z.core.$ZodRawIssue);
});

/** Shapes of the members of due diligence, which only later revisions show. */
const dueDiligence = () => {
  const members = dueDiligenceInput();
  const shapes = Object.entries(members).map(([name, { shape }]) => [name, shape as z.ZodType]);
  return Object.fromEntries(shapes) as { [Name in keyof typeof members]: z.ZodType };
};

export const PARTY_SHAPES = {
  Customer: () =>
    stored<CustomerRecord>({
      ...stamps,
      customerType: oneOf(["INDIVIDUAL", "BUSINESS"]),
      platformCustomerId: Text,
      region: Text.optional(),
      currencies: z.array(Text),
      email: Text.optional(),
      umaAddress: Text,
      kycStatus: oneOf(ANY_CUSTOMER_STATUSES).optional(),
      kybStatus: oneOf(ANY_CUSTOMER_STATUSES).optional(),
      fullName: Text.optional(),
      birthDate: Text.optional(),
      nationality: Text.optional(),
      address: Address.optional(),
      businessInfo: shapeIn(BusinessInfoPatch, LATEST_REVISION).optional(),
      phoneNumber: Text.optional(),
      endUserTermsConsent: EndUserTermsConsent.optional(),
      ...dueDiligence(),
      isDeleted: Flag,
    }),
  BeneficialOwner: () =>
    stored<BeneficialOwnerRecord>({
      ...stamps,
      customerId: Id,
      roles: z.array(oneOf(OWNER_ROLES)),
      ownershipPercentage: Count.max(100),
      personalInfo: PersonalInfo,
      kycStatus: oneOf(ANY_CUSTOMER_STATUSES),
    }),
  Verification: () =>
    stored<VerificationRecord>({
      ...stamps,
      customerId: Id,
      status: oneOf(VERIFICATION_STATUSES),
      errors: z.array(shapeIn(VerificationError, LATEST_REVISION)),
    }),
  KycLink: () => stored<KycLinkRecord>({ ...stamps, customerId: Id, expiresAtMs: StoredInstant }),
  InternalAccount: () =>
    stored<InternalAccountRecord>({
      ...stamps,
      customerId: Id.optional(),
      currency: Currency,
      type: oneOf(INTERNAL_ACCOUNT_TYPES),
      status: oneOf([...INTERNAL_ACCOUNT_STATUSES, "FAILED"]),
      privateEnabled: Flag.optional(),
      fundingPaymentInstructions: z
        .array(shapeIn(PaymentInstructions, LATEST_REVISION) as unknown as z.ZodType<Instructions>)
        .optional(),
    }),
  ExternalAccount: () =>
    stored<ExternalAccountRecord>({
      ...stamps,
      customerId: Id.optional(),
      status: oneOf([...EXTERNAL_ACCOUNT_STATUSES, ...OWNERSHIP_STATUSES]),
      ownershipType: oneOf(OWNERSHIP_TYPES).optional(),
      platformAccountId: Text.optional(),
      currency: Currency,
      defaultUmaDepositAccount: Flag,
      beneficiaryVerificationStatus: oneOf(CHECKED).optional(),
      beneficiaryVerifiedName: Text.optional(),
      accountInfo: StoredAccountInfo,
    }).refine(
      ({ currency, accountInfo: { accountType } }) =>
        latestTypeRow(accountType).currencies.includes(currency),
      "Expected a currency of its type of account",
    ),
  Document: () =>
    stored<DocumentRecord>({
      ...stamps,
      documentHolder: Id,
      documentType: oneOf(DOCUMENT_TYPES),
      country: Text,
      fileName: Text,
      side: oneOf(DOCUMENT_SIDES).optional(),
      documentNumber: Text.optional(),
      issuingAuthority: Text.optional(),
      file: z.strictObject({
        sha256: Digest,
        mediaType: oneOf(DOCUMENT_MEDIA_TYPES),
        sizeBytes: Count,
      }),
      submittedAtMs: StoredInstant.optional(),
    }),
  Job: () =>
    stored<JobRecord>({
      ...stamps,
      status: oneOf(BULK_JOB_STATUSES),
      totalCount: Count,
      successfulCount: Count,
      failedCount: Count,
      completedAtMs: StoredInstant.optional(),
    }),
  BulkRows: () =>
    stored<BulkRowsRecord>({
      id: Id,
      jobId: Id,
      rows: z.array(
        z.union([
          z.strictObject({ correlationId: Text, rowNumber: Count, row: BulkRow }),
          z.strictObject({ error: BulkError }),
        ]),
      ),
    }),
  BulkErrors: () => stored<BulkErrorsRecord>({ id: Id, jobId: Id, errors: z.array(BulkError) }),
};
