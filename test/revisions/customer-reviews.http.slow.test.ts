import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { Receiver } from "../setup/receiver.ts";
import type { Parsed } from "../setup/test-simulator.ts";

const LATER = "2026-08";
const BOTH = ["2025-10", LATER] as const;

const ADDRESS = { line1: "1 Pier Road", postalCode: "10001", country: "US" };

const person = (fullName: string) => ({
  customerType: "INDIVIDUAL",
  fullName,
  birthDate: "1990-02-03",
  nationality: "US",
  idType: "SSN",
  identifier: "123-45-6789",
  address: ADDRESS,
});

const company = (registrationNumber: string) => ({
  customerType: "BUSINESS",
  address: ADDRESS,
  businessInfo: {
    legalName: "North Pier Ltd",
    taxId: "98-7654321",
    incorporatedOn: "2019-04-01",
    country: "US",
    registrationNumber,
  },
});

const owner = (customerId: string, lastName: string) => ({
  customerId,
  roles: ["UBO"],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: "Mara",
    lastName,
    birthDate: "1984-02-20",
    nationality: "US",
    address: ADDRESS,
    idType: "SSN",
    identifier: "123-45-6789",
  },
});

const PDF = new Uint8Array(Buffer.from("%PDF-1.4\n%%EOF\n"));

const typesOf = (errors: { type: string; field?: string }[]) =>
  errors.map(({ type, field }) => (field === undefined ? type : `${type} ${field}`));

describe.each(BOTH)("a review in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });

  afterEach(() => receiver.stop());

  const create = async (body: object): Promise<Parsed> => {
    const { status, body: made } = await world().call("POST", "/customers", body);
    expect(status).toBe(201);
    return made;
  };
  const verify = (customerId: string) => world().call("POST", "/verifications", { customerId });
  const decide = (id: string, status: object) =>
    world().control("PATCH", `/customers/${id}`, status);
  const seen = async (id: string) => (await world().call("GET", `/customers/${id}`)).body;
  const upload = async (documentHolder: string, members: Record<string, string>) => {
    const form = new FormData();
    form.append("file", new Blob([PDF], { type: "application/pdf" }), "scan.pdf");
    const whole = { documentHolder, country: "US", ...members };
    for (const [name, value] of Object.entries(whole)) form.append(name, value);
    const { status, body } = await world().raw("POST", "/documents", { body: form });
    expect(status).toBe(201);
    return body.id as string;
  };
  const passport = (holder: string) =>
    upload(holder, {
      documentType: "PASSPORT",
      documentNumber: "P1234567",
      issuingAuthority: "US Department of State",
    });
  const told = async () => {
    await goTo(world(), "09:01:00.000");
    return receiver.received.map(({ type }) => type).filter((type) => type !== "TEST");
  };

  // spec/later-customers.md#first-status-of-a-person
  test.each([
    ["Ada Moreno 001", "PENDING"],
    ["Ada Moreno 002", "REJECTED"],
    ["Ada Moreno 003", "UNVERIFIED"],
    ["Ada Moreno 00-3", "APPROVED"],
    ["Ada Moreno", "APPROVED"],
  ])("%s is born %s", async (fullName, status) => {
    const { id, kycStatus } = await create({ customerType: "INDIVIDUAL", fullName });
    expect(kycStatus).toBe(isLater ? status : "APPROVED");
    await world().call("PATCH", `/customers/${id}`, {
      customerType: "INDIVIDUAL",
      fullName: "Ada King 002",
    });
    expect((await seen(id)).kycStatus).toBe(kycStatus);
    expect(await told()).toEqual([]);
  });

  // spec/later-customers.md#decided-customers
  test.each(["APPROVED", "REJECTED"])("of a person who is %s is refused", async (kycStatus) => {
    const { id } = await create(person("Ada Moreno"));
    await decide(id, { kycStatus });
    const { status, body } = await verify(id);
    expect([status, body.code, body.reason]).toEqual(
      isLater ? [400, "INVALID_INPUT", "ALREADY_VERIFIED"] : [200, undefined, undefined],
    );
  });

  // spec/later-customers.md#verification-of-a-person
  test("names everything that a person lacks", async () => {
    const { id } = await create({ customerType: "INDIVIDUAL", fullName: "Ada-003" });
    const { status, body } = await verify(id);
    expect([status, body.verificationStatus, typesOf(body.errors)]).toEqual(
      isLater
        ? [
            200,
            "RESOLVE_ERRORS",
            [
              "INVALID_FIELD customer.fullName",
              "MISSING_FIELD customer.birthDate",
              "MISSING_FIELD customer.nationality",
              "MISSING_FIELD customer.idType",
              "MISSING_FIELD customer.identifier",
              "MISSING_FIELD customer.address",
              "MISSING_IDENTITY_DOCUMENT",
            ],
          ]
        : [200, "APPROVED", []],
    );
    expect(body.errors.at(-1)?.acceptedDocumentTypes).toEqual(
      isLater ? ["PASSPORT", "DRIVERS_LICENSE", "NATIONAL_ID"] : undefined,
    );
    expect((await seen(id)).kycStatus).toBe(isLater ? "UNVERIFIED" : "APPROVED");
    expect(await told()).toEqual([
      isLater ? "VERIFICATION.RESOLVE_ERRORS" : "VERIFICATION.APPROVED",
    ]);
  });

  // spec/later-customers.md#verification-of-a-person
  test("takes both sides of a license, with its number and authority", async () => {
    const { id } = await create(person("Ada Moreno 003"));
    await decide(id, { kycStatus: "PENDING" });
    const license = { documentType: "DRIVERS_LICENSE" };
    const front = await upload(id, { ...license, side: "FRONT", documentNumber: "D55" });
    const lacks = async () => typesOf((await verify(id)).body.errors);
    expect(await lacks()).toEqual(isLater ? ["MISSING_IDENTITY_DOCUMENT"] : []);
    await upload(id, { ...license, side: "BACK" });
    const { errors } = (await verify(id)).body;
    expect(errors.map(({ resourceId }: { resourceId: string }) => resourceId)).toEqual(
      isLater ? [front] : [],
    );
    expect(typesOf(errors)).toEqual(isLater ? ["MISSING_FIELD document.issuingAuthority"] : []);
  });

  // spec/later-customers.md#verification-of-a-person
  test("of a complete person whose name ends in 001 goes to a reviewer", async () => {
    const { id } = await create(person("Ada Moreno 001"));
    await passport(id);
    const { headers, body } = await verify(id);
    expect([body.verificationStatus, body.errors]).toEqual([
      isLater ? "PENDING_MANUAL_REVIEW" : "APPROVED",
      [],
    ]);
    expect(headers.get("x-sim-rule")).toBe(
      isLater ? "personVerification.001" : "verification.individual",
    );
    expect(await told()).toEqual([
      isLater ? "VERIFICATION.PENDING_MANUAL_REVIEW" : "VERIFICATION.APPROVED",
    ]);
  });

  // spec/later-customers.md#verification-of-a-person
  test("of a complete person whose name ends in 003 asks for a better document", async () => {
    const { id } = await create(person("Ada Moreno 003"));
    const document = await passport(id);
    const { body } = await verify(id);
    expect(body.errors.map(({ reason: _reason, ...error }: Parsed) => error)).toEqual(
      isLater ? [{ resourceId: document, type: "POOR_QUALITY_DOCUMENT" }] : [],
    );
    expect((await seen(id)).kycStatus).toBe(isLater ? "UNVERIFIED" : "APPROVED");
  });

  // spec/later-customers.md#verification-of-a-person
  test.each([
    ["Ada Moreno", "APPROVED"],
    ["Ada Moreno 002", "REJECTED"],
  ])("of the complete %s, on hold before, ends %s", async (fullName, ends) => {
    const { id } = await create(person(fullName));
    await passport(id);
    await decide(id, { kycStatus: isLater ? "HOLD" : "PENDING" });
    const { body } = await verify(id);
    expect([body.verificationStatus, (await seen(id)).kycStatus]).toEqual(
      isLater ? [ends, ends] : ["APPROVED", "APPROVED"],
    );
  });

  // spec/later-customers.md#verification-of-a-business
  test.each(["HRB-001", "HRB-003"])(
    "of the business %s names all that it lacks",
    async (number) => {
      const { address: _address, ...homeless } = company(number);
      const { id } = await create(homeless);
      const { body } = await verify(id);
      const first = number.endsWith("001") ? "IN_PROGRESS" : "APPROVED";
      expect([body.verificationStatus, typesOf(body.errors)]).toEqual(
        isLater
          ? [
              "RESOLVE_ERRORS",
              [
                "MISSING_FIELD customer.address",
                "MISSING_LEGAL_PRESENCE_DOCUMENT",
                "MISSING_CONTROL_STRUCTURE_DOCUMENT",
                "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
                "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
                "MISSING_BENEFICIAL_OWNER",
              ],
            ]
          : [first, []],
      );
      expect((await seen(id)).kybStatus).toBe(
        isLater ? "UNVERIFIED" : first === "APPROVED" ? "APPROVED" : "PENDING",
      );
    },
  );

  // spec/later-customers.md#verification-of-a-business
  test("of a complete business that ends in 003 goes on", async () => {
    const { id } = await create(company("HRB-003"));
    for (const documentType of ["CERTIFICATE_OF_INCORPORATION", "TRUST_AGREEMENT", "UTILITY_BILL"])
      await upload(id, { documentType });
    await world().call("POST", "/beneficial-owners", owner(id, "Quint"));
    const { body } = await verify(id);
    expect([body.verificationStatus, (await seen(id)).kybStatus]).toEqual(
      isLater ? ["IN_PROGRESS", "PENDING"] : ["APPROVED", "APPROVED"],
    );
  });

  // spec/later-customers.md#decision-about-owners
  test.each([
    ["HRB-002", "REJECTED"],
    ["HRB-777", "APPROVED"],
  ])("of the business %s decides its owners with it", async (number, kybStatus) => {
    const { id } = await create(company(number));
    const born = [];
    for (const lastName of ["Quint 001", "Quint 002", "Quint"])
      born.push((await world().call("POST", "/beneficial-owners", owner(id, lastName))).body);
    const statusesOf = (owners: { kycStatus: string }[]) => owners.map((one) => one.kycStatus);
    const decided = ["PENDING", "REJECTED", "APPROVED"];
    expect(statusesOf(born)).toEqual(
      isLater ? ["UNVERIFIED", "UNVERIFIED", "UNVERIFIED"] : decided,
    );
    const { body } = await verify(id);
    expect(body.verificationStatus).toBe(kybStatus);
    const after = await seen(id);
    expect([after.kybStatus, statusesOf(after.beneficialOwners)]).toEqual([kybStatus, decided]);
    const late = await world().call("POST", "/beneficial-owners", owner(id, "Quint 002"));
    expect(late.body.kycStatus).toBe("REJECTED");
    const again = await verify(id);
    expect(again.status).toBe(isLater ? 400 : 200);
    expect(await told()).toEqual([
      "CUSTOMER.KYB_PENDING",
      `VERIFICATION.${kybStatus}`,
      `CUSTOMER.KYB_${kybStatus}`,
      ...(isLater ? [] : [`VERIFICATION.${kybStatus}`]),
    ]);
    const shown = receiver.received.find(({ type }) => type === `CUSTOMER.KYB_${kybStatus}`);
    expect(statusesOf(shown?.data.beneficialOwners)).toEqual(decided);
  });

  // spec/later-customers.md#decision-about-owners
  test("by the operator decides owners too, under the names that they have then", async () => {
    const { id } = await create(company("HRB-001"));
    const { body } = await world().call("POST", "/beneficial-owners", owner(id, "Quint 001"));
    await world().call("PATCH", `/beneficial-owners/${body.id}`, {
      personalInfo: { lastName: "Quint 002" },
    });
    await decide(id, { kybStatus: "APPROVED" });
    const statusNow = async () =>
      (await world().call("GET", `/beneficial-owners/${body.id}`)).body.kycStatus;
    expect(await statusNow()).toBe("REJECTED");
    await world().call("PATCH", `/beneficial-owners/${body.id}`, {
      personalInfo: { lastName: "Quint" },
    });
    expect(await statusNow()).toBe(isLater ? "REJECTED" : "APPROVED");
  });

  // spec/later-customers.md#tables-of-the-sandbox
  test("is chosen by rows that outcomes lists and sets", async () => {
    const { body } = await world().control("GET", "/outcomes");
    const groups = body.data.map(({ group }: { group: string }) => group);
    expect(groups.filter((group: string) => /verification$|newPerson/i.test(group))).toEqual(
      isLater
        ? ["beneficiaryVerification", "newPerson", "personVerification", "businessVerification"]
        : ["beneficiaryVerification", "verification"],
    );
    await world().control("POST", "/outcomes/next", {
      rule: isLater ? "newPerson.002" : "verification.002",
    });
    const { id, kycStatus } = await create(person("Ada Moreno"));
    expect(kycStatus).toBe(isLater ? "REJECTED" : "APPROVED");
    if (!isLater) expect((await verify(id)).body.verificationStatus).toBe("REJECTED");
  });
});
