import { z } from "zod";

export const checkedShape = z.strictObject({
  ok: z.boolean(),
  checks: z.array(
    z.strictObject({
      name: z.enum(["connection", "tls", "login", "dkim", "spf", "dmarc"]),
      ok: z.boolean(),
      message: z.string(),
    }),
  ),
});

export const checkedExample = {
  ok: false,
  checks: [
    { name: "connection", ok: true, message: "The server answers." },
    { name: "tls", ok: true, message: "The connection is encrypted." },
    { name: "login", ok: true, message: "The server takes the login." },
    { name: "dkim", ok: false, message: "s1._domainkey.example.com has no DKIM key." },
    { name: "spf", ok: true, message: "example.com has an SPF record." },
    {
      name: "dmarc",
      ok: true,
      message: "_dmarc.example.com has a policy, and the return path at example.com is aligned with example.com.",
    },
  ],
};
