import * as z from "zod";
import { accountTypeRow } from "../../../contract/accounts/external-account-types.ts";
import {
  AccountInfoInput,
  VERIFICATION_STATUSES as CHECKED,
} from "../../../contract/accounts/external-accounts.ts";
import {
  INTERNAL_ACCOUNT_STATUSES,
  INTERNAL_ACCOUNT_TYPES,
} from "../../../contract/accounts/internal-accounts.ts";
import { Address } from "../../../contract/core/addresses.ts";
import { OWNER_ROLES, PersonalInfo } from "../../../contract/customers/beneficial-owners.ts";
import {
  BULK_JOB_STATUSES,
  BulkError,
  BulkRow,
} from "../../../contract/customers/bulk-customers.ts";
import { BusinessInfoPatch } from "../../../contract/customers/businesses.ts";
import { CUSTOMER_STATUSES } from "../../../contract/customers/customer-statuses.ts";
import { DOCUMENT_SIDES, DOCUMENT_TYPES } from "../../../contract/customers/documents.ts";
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
      kycStatus: oneOf(CUSTOMER_STATUSES).optional(),
      kybStatus: oneOf(CUSTOMER_STATUSES).optional(),
      fullName: Text.optional(),
      birthDate: Text.optional(),
      nationality: Text.optional(),
      address: Address.optional(),
      businessInfo: BusinessInfoPatch.optional(),
      phoneNumber: Text.optional(),
      isDeleted: Flag,
    }),
  BeneficialOwner: () =>
    stored<BeneficialOwnerRecord>({
      ...stamps,
      customerId: Id,
      roles: z.array(oneOf(OWNER_ROLES)),
      ownershipPercentage: Count.max(100),
      personalInfo: PersonalInfo,
      kycStatus: oneOf(CUSTOMER_STATUSES),
    }),
  Verification: () =>
    stored<VerificationRecord>({
      ...stamps,
      customerId: Id,
      status: oneOf(VERIFICATION_STATUSES),
      errors: z.array(VerificationError),
    }),
  KycLink: () => stored<KycLinkRecord>({ ...stamps, customerId: Id, expiresAtMs: StoredInstant }),
  InternalAccount: () =>
    stored<InternalAccountRecord>({
      ...stamps,
      customerId: Id.optional(),
      currency: Currency,
      type: oneOf(INTERNAL_ACCOUNT_TYPES),
      status: oneOf(INTERNAL_ACCOUNT_STATUSES),
      privateEnabled: Flag.optional(),
    }),
  ExternalAccount: () =>
    stored<ExternalAccountRecord>({
      ...stamps,
      customerId: Id.optional(),
      status: z.literal("ACTIVE"),
      platformAccountId: Text.optional(),
      currency: Currency,
      defaultUmaDepositAccount: Flag,
      beneficiaryVerificationStatus: oneOf(CHECKED).optional(),
      beneficiaryVerifiedName: Text.optional(),
      accountInfo: AccountInfoInput,
    }).refine(
      ({ currency, accountInfo: { accountType } }) =>
        accountTypeRow(accountType).currencies.includes(currency),
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
