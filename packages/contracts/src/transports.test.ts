import { expect, test } from "vitest";
import { writtenTransports } from "./transports.ts";

test("domains of a transport are taken in Unicode and kept in ASCII", () => {
  const settings = { host: "mail.example", perDomain: { "GRÜN.example": 1 }, fromDomains: ["münchen.example"] };
  expect(writtenTransports.smtp.parse(settings)).toMatchObject({
    perDomain: { "xn--grn-ioa.example": 1 },
    fromDomains: ["xn--mnchen-3ya.example"],
  });
  const wrong = writtenTransports.log.safeParse({ perDomain: { "mün chen.example": 1 } });
  expect(wrong.success).toBe(false);
});
