import { beforeEach, describe, expect, test } from "vitest";
import { expectNothing, invalid } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { createBusiness, createCustomer, NOBODY, register, verify } from "./setup/people.ts";

const world = worldPerTest();

const list = (query: string) => world().call("GET", `/verifications?${query}`);

let ids: Record<"molino" | "ana" | "vega", string>;
/** Names of the verifications, by their ids. */
let names: Map<string, string>;

beforeEach(async () => {
  ids = {
    molino: await createBusiness(world(), "001"),
    ana: await createCustomer(world()),
    vega: await createCustomer(world(), { customerType: "BUSINESS" }),
  };
  names = new Map();
  const look = async (name: string, customerId: string) =>
    names.set((await verify(world(), customerId)).body.id, name);
  await look("molino in progress", ids.molino);
  await look("ana", ids.ana);
  await look("vega", ids.vega);
  await register(world(), ids.molino, "002");
  await look("molino refused", ids.molino);
  await register(world(), ids.molino, "003");
  await look("molino approved", ids.molino);
});

const found = ({ body }: { body: { data: { id: string }[] } }) =>
  body.data.map(({ id }) => names.get(id));

describe("the list of verifications", () => {
  test.each<{ says: string; query: () => string; finds: string[] }>([
    {
      says: "everything, newest first",
      query: () => "",
      finds: ["molino approved", "molino refused", "vega", "ana", "molino in progress"],
    },
    {
      says: "those of one customer",
      query: () => `customerId=${ids.molino}`,
      finds: ["molino approved", "molino refused", "molino in progress"],
    },
    { says: "those of a person", query: () => `customerId=${ids.ana}`, finds: ["ana"] },
    {
      says: "those that approved",
      query: () => "verificationStatus=APPROVED",
      finds: ["molino approved", "ana"],
    },
    {
      says: "those that refused",
      query: () => "verificationStatus=REJECTED",
      finds: ["molino refused"],
    },
    {
      says: "those in progress",
      query: () => "verificationStatus=IN_PROGRESS",
      finds: ["molino in progress"],
    },
    {
      says: "those with errors to resolve",
      query: () => "verificationStatus=RESOLVE_ERRORS",
      finds: ["vega"],
    },
    {
      says: "none in a manual review",
      query: () => "verificationStatus=PENDING_MANUAL_REVIEW",
      finds: [],
    },
    { says: "none ready", query: () => "verificationStatus=READY_FOR_VERIFICATION", finds: [] },
    {
      says: "both filters at once",
      query: () => `customerId=${ids.molino}&verificationStatus=APPROVED`,
      finds: ["molino approved"],
    },
    {
      says: "nothing where both filters fit nothing",
      query: () => `customerId=${ids.ana}&verificationStatus=REJECTED`,
      finds: [],
    },
    { says: "nothing of an unknown customer", query: () => `customerId=${NOBODY}`, finds: [] },
    { says: "nothing of an empty id", query: () => "customerId=", finds: [] },
  ])("has $says", async ({ query, finds }) => {
    const answer = await list(query());
    expect(found(answer)).toEqual(finds);
    expect(answer.body).toMatchObject({ hasMore: false, totalCount: finds.length });
  });

  test("has pages, and keeps those of a deleted customer", async () => {
    await world().call("DELETE", `/customers/${ids.molino}`);
    const first = await list(`customerId=${ids.molino}&limit=2`);
    expect(found(first)).toEqual(["molino approved", "molino refused"]);
    expect(first.body).toMatchObject({ hasMore: true, totalCount: 3 });
    const rest = await list(`customerId=${ids.molino}&limit=2&cursor=${first.body.nextCursor}`);
    expect(found(rest)).toEqual(["molino in progress"]);
    const { nextCursor } = first.body;
    await expectNothing(world(), () => list(`cursor=${nextCursor}`), invalid("cursor"));
  });

  test.each([
    { query: "verificationStatus=", field: "verificationStatus" },
    { query: "verificationStatus=approved", field: "verificationStatus" },
    { query: "verificationStatus=UNVERIFIED", field: "verificationStatus" },
    { query: "verificationStatus=APPROVED,REJECTED", field: "verificationStatus" },
    { query: "limit=0", field: "limit" },
    { query: "limit=101", field: "limit" },
  ])("is refused for «$query»", ({ query, field }) =>
    expectNothing(world(), () => list(query), invalid(field)),
  );
});

test("an unknown verification is not found", async () => {
  for (const id of ["none", "Verification:none", ids.ana])
    await expectNothing(world(), () => world().call("GET", `/verifications/${id}`), {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
    });
});
