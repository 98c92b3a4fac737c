import fc from "fast-check";
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { describe, expect, test } from "vitest";
import { canonicalPhone, formerPhones, isAddressOf } from "./addresses.ts";
import { canonicalIdentifier, identifiersInOrder } from "./identifiers.ts";
import { accountSettings, defaultSettings } from "./settings.ts";

const austrian = accountSettings.parse({ country: "at" });
const email = (text: string | number) => canonicalIdentifier(defaultSettings, "email", text);
const phone = (text: string | number, settings = defaultSettings) => canonicalIdentifier(settings, "phone", text);

describe("one person has one address", () => {
  test.each([
    "ann@example.com",
    " Ann@Example.COM\u00a0",
    "mailto:ann@example.com",
    "MAILTO:ann@example.com?subject=Hi",
    '"Ann, née Lee" <ann@example.com>',
    "Ann <mailto:Ann@example.com>",
    "<ann@example.com>",
    "\u200bann@example.com\ufeff",
    "ann@exam\u200bple.com",
    "\u200c ann@example.com \u200d",
    "\u061cann@example.com",
    "'ann@example.com'",
    '"Ann@example.com"',
    "‘ann@example.com’",
    "ann@example.com;",
    "<ann@example.com>, ",
    "ann@example.com.",
    "ann@example.com (Ann Lee)",
    "Ann Lee <ann@example.com> (work)",
    "mailto:ann%40example.com",
  ])("the email %j", (text) => {
    expect(email(text)).toBe("ann@example.com");
  });

  test.each([
    "+43 660 1234567",
    "0043660 1234567",
    "00 43 (660) 123-4567",
    "tel:+43-660-1234567",
    "TEL:+43 660 1234567;ext=1",
    "\u202a+43 660 1234567\u202c",
    "＋４３ 660 1234567",
    "+43 (0) 660 / 123 45 67",
    "(+43) 660 1234567",
    "'+436601234567",
    "=+43 660 1234567",
    "++43 660 1234567",
    "+0043 660 1234567",
    "Tel.: +43 660 1234567",
    "callto:+436601234567",
  ])("the phone number %j, whatever the account's country", (text) => {
    expect(phone(text)).toBe("+436601234567");
    expect(phone(text, austrian)).toBe("+436601234567");
    expect(phone(text, accountSettings.parse({ country: "US" }))).toBe("+436601234567");
  });

  test.each(["0660 1234567", "(0660) 123 45 67", "tel:06601234567"])("the phone number %j of the country", (text) => {
    expect(phone(text, austrian)).toBe("+436601234567");
    expect(phone(text)).toBe("06601234567");
  });

  test("a number of JSON is one as well", () => {
    expect(phone(6_601_234_567, austrian)).toBe("+436601234567");
  });
});

test("a canonical value is its own canonical form, of any text, and the former form differs from it", () => {
  const part = fc.constantFrom(
    "mailto:",
    "tel:",
    "<",
    ">",
    "a@b",
    '"',
    "00",
    "+",
    "43",
    "0660",
    " ",
    "\u200b",
    "?",
    ";",
    "'",
    "(",
    ")",
    ".",
    "%40",
    "%28",
    "Tel. ",
    "é",
    "0",
  );
  const text = fc.oneof(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom("email", "phone"), (value, name) => {
      for (const settings of [defaultSettings, austrian]) {
        const canonical = canonicalIdentifier(settings, name, value);
        if (canonical === undefined) continue;
        expect(canonicalIdentifier(settings, name, canonical)).toBe(canonical);
        const read = identifiersInOrder(settings, { [name]: value }, undefined);
        expect(read).toMatchObject({ kind: "ok", identifiers: [{ name, value: canonical }] });
        for (const { value: former } of (read.kind === "ok" && read.former) || []) expect(former).not.toBe(canonical);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["email", "ann@example.com", true],
  ["email", "ann", false],
  ["email", "@example.com", false],
  ["email", "ann@", false],
  ["email", "ann lee@example.com", false],
  ["email", "ann@example.com\u0000", false],
  ["email", "ann@example.com, bob@example.com", false],
  ["email", "ann@example.com;bob@example.com", false],
  ["email", "ann@example.com/bob@example.com", false],
  ["email", "ann@@example.com", false],
  ["email", "ann@example..com", false],
  ["email", "ann@.example.com", false],
  ["email", "smtp:ann@example.com", false],
  ["email", "<ann@example.com", false],
  ["email", "ann\u00a0lee@example.com", false],
  ["email", "ann\u0085@example.com", false],
  ["email", "ann.lee+shop=x'y/z@example.com", true],
  ["email", "ann..lee.@docomo.example.jp", true],
  ["email", '"ann,lee"@example.com', true],
  ["email", "ann@[192.0.2.1]", true],
  ["email", "ann@localhost", true],
  ["email", "ann@münchen.example", true],
  ["email", "用户@例子.example", true],
  ["sms", "+436601234567", true],
  ["sms", "00436601234567", true],
  ["sms", "06601234567", false],
  ["sms", "+0", false],
  ["whatsapp", "whatever", true],
])("on %s, whether %j can be an address is %s", (channel, address, isOne) => {
  expect(isAddressOf(channel, address)).toBe(isOne);
});

test("a contact of before is found by the form that its address had", () => {
  const former = (name: string, value: string) => {
    const read = identifiersInOrder(austrian, { [name]: value }, undefined);
    return read.kind === "ok" ? (read.former ?? []).map((one) => one.value) : [];
  };
  expect(former("phone", "0043 660 1234567")).toEqual(["00436601234567"]);
  expect(former("phone", "0660 1234567")).toEqual(["06601234567"]);
  expect(former("email", "mailto:Ann@example.com")).toEqual(["mailto:ann@example.com"]);
  expect(former("phone", "+43 660 1234567")).toEqual([]);
  expect(former("email", " Ann@example.com ")).toEqual([]);
  expect(formerPhones("+436601234567")).toEqual(["00436601234567", "436601234567", "06601234567"]);
});

test("a country is one whose numbers can be read, in any case", () => {
  expect(austrian.country).toBe("AT");
  expect(accountSettings.safeParse({ country: "XX" }).success).toBe(false);
  expect(accountSettings.safeParse({ country: "Austria" }).success).toBe(false);
});

test("plain numbers of every calling code are read as the library reads them", () => {
  const codes = new Set(getCountries().map((country) => String(getCountryCallingCode(country))));
  const read = (text: string): string => {
    const number = parsePhoneNumberFromString(text)?.number ?? text;
    return number === text ? text : read(number);
  };
  const wrong: string[] = [];
  for (const code of [...codes, "800", "870", "878", "881", "882", "883", "888", "979", "210", "999"]) {
    for (let start = 0; start < 100; start += 1) {
      for (const rest of ["4567", "456789", "45678901"]) {
        const text = `+${code}${String(start).padStart(2, "0")}${rest}`;
        if (canonicalPhone(text) !== read(text)) wrong.push(text);
      }
    }
  }
  expect(wrong).toEqual([]);
});
