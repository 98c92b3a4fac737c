import { expect, test } from "vitest";
import { isDomain, storedTransports, writtenTransports } from "./transports.ts";

test("domains of a transport are taken in Unicode and kept in ASCII", () => {
  const settings = { host: "mail.example", perDomain: { "GRÜN.example": 1 }, fromDomains: ["münchen.example"] };
  expect(writtenTransports.smtp.parse(settings)).toMatchObject({
    perDomain: { "xn--grn-ioa.example": 1 },
    fromDomains: ["xn--mnchen-3ya.example"],
  });
  const wrong = writtenTransports.log.safeParse({ perDomain: { "mün chen.example": 1 } });
  expect(wrong.success).toBe(false);
});

test.each([{ "X-Sender": "Café €" }, { Authorization: "Bearer ü\u0142" }, { "keep-alive": "5" }])(
  "a header that no request can carry is refused when it is written and still read when it is stored: %j",
  (headers) => {
    const settings = { url: "https://sms.example", headers };
    const written = writtenTransports.http.safeParse(settings);
    expect(written.error?.issues).toMatchObject([{ path: ["headers", ...Object.keys(headers)] }]);
    expect(storedTransports.http.safeParse(settings).success).toBe(true);
  },
);

test("a header takes every character of Latin-1 that is no control character", () => {
  const settings = { url: "https://sms.example", headers: { "X-Sender": "Café ~ÿ" } };
  expect(writtenTransports.http.safeParse(settings).success).toBe(true);
});

test("a host is taken in Unicode and kept in ASCII, and one in ASCII stays as it is", () => {
  const hostOf = (host: string) => writtenTransports.smtp.safeParse({ host }).data?.host;
  expect(["mäil.example", "Mail_1.example", "10.0.0.5", "::1"].map(hostOf)).toEqual([
    ...["xn--mil-qla.example", "Mail_1.example", "10.0.0.5", "::1"],
  ]);
  expect(["mäil exämple", "mäil.example:25", "u@mäil.example", "mäil.example/x", ""].map(hostOf)).toEqual(
    Array(5).fill(undefined),
  );
});

test("a domain has two labels or more of up to 63 characters, none with a hyphen at an end, and 253 in all", () => {
  const long = `${"a".repeat(63)}.`.repeat(3);
  const domains = ["a.b", "xn--mil-qla.example", `${long}${"b".repeat(61)}`];
  expect(domains.filter((text) => !isDomain(text))).toEqual([]);
  const others = [
    "",
    "a",
    ".a.b",
    "a.b.",
    "a..b",
    "-a.b",
    "a-.b",
    "A.b",
    "a_b.c",
    `${long}${"b".repeat(62)}`,
    `${"a".repeat(64)}.b`,
  ];
  expect(others.filter(isDomain)).toEqual([]);
});
