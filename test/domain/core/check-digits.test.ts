import { expect, test } from "vitest";
import { ibanOf, withCrc16, withWeightedCheck } from "../../../src/domain/core/check-digits.ts";

/** Examples from the countries' own registers. */
test.each([
  { country: "DE", accountPart: "370400440532013000", iban: "DE89370400440532013000" },
  { country: "GB", accountPart: "WEST12345698765432", iban: "GB82WEST12345698765432" },
  { country: "AE", accountPart: "0331234567890123456", iban: "AE070331234567890123456" },
  { country: "DK", accountPart: "00400440116243", iban: "DK5000400440116243" },
  { country: "PK", accountPart: "SCBL0000001123456702", iban: "PK36SCBL0000001123456702" },
  {
    country: "EG",
    accountPart: "0019000500000000263180002",
    iban: "EG380019000500000000263180002",
  },
])("an IBAN of $country is $iban", ({ country, accountPart, iban }) => {
  expect(ibanOf(country, accountPart)).toBe(iban);
});

test.each([
  { what: "a routing number", digits: "02100002", weights: [3, 7, 1], whole: "021000021" },
  { what: "a routing number", digits: "09100001", weights: [3, 7, 1], whole: "091000019" },
  {
    what: "a CLABE",
    digits: "03218000011835971",
    weights: [3, 7, 1],
    whole: "032180000118359719",
  },
  { what: "the bank of a CBU", digits: "2850590", weights: [7, 1, 3, 9], whole: "28505909" },
  {
    what: "the account of a CBU",
    digits: "4009041813520",
    weights: [3, 9, 7, 1],
    whole: "40090418135201",
  },
  { what: "a sum that needs no more", digits: "00", weights: [3], whole: "000" },
])("$what $digits ends as $whole", ({ digits, weights, whole }) => {
  expect(withWeightedCheck(digits, weights)).toBe(whole);
});

test.each([
  { text: "123456789", whole: "12345678929B1" }, // the check value of CRC-16/IBM-3740
  { text: "", whole: "FFFF" },
])("the CRC behind '$text' is the published one", ({ text, whole }) => {
  expect(withCrc16(text)).toBe(whole);
});

test("the example payload of the PIX manual ends in its CRC", () => {
  const payload =
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR" +
    "5913Fulano de Tal6008BRASILIA62070503***6304";
  expect(withCrc16(payload)).toBe(`${payload}1D3D`);
});

test("a CRC is four digits, however small it is", () => {
  const texts = Array.from({ length: 1000 }, (_, at) => String(at));
  expect(texts.filter((text) => !/^[0-9A-F]{4}$/.test(withCrc16(text).slice(text.length)))).toEqual(
    [],
  );
});
