import { storableText } from "@headwater/api/paging/query";
import { defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import { checkTransport as look } from "../../check/checkTransport.ts";
import type { RoutePorts } from "../../ports.ts";
import { transports } from "../postgres.ts";

const checkedShape = z.strictObject({
  ok: z.boolean(),
  checks: z.array(
    z.strictObject({
      name: z.enum(["connection", "tls", "login", "dkim", "spf", "dmarc"]),
      ok: z.boolean(),
      message: z.string(),
    }),
  ),
});

const checkedExample = {
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

export function checkTransport(
  ports: Pick<RoutePorts, "postgres" | "resolveTxt" | "sealer" | "transportOutbound">,
): Route {
  const { postgres, resolveTxt, sealer, transportOutbound } = ports;
  return defineRoute({
    method: "PUT",
    path: "/v2/transports/{id}/check",
    operationId: "checkTransport",
    summary: "Checks whether a transport can send. Sends nothing.",
    description:
      "Connects, encrypts and signs in as a send would, and compares DKIM keys, SPF and the alignment of DMARC with DNS. `ok` is true when every check is. Several domains or keys have a check each.",
    tags: ["transports"],
    answers: {
      200: { description: "The outcome of each check.", schema: checkedShape, example: checkedExample },
      404: { description: "RECORD_NOT_FOUND: no transport has this id." },
    },
    auth: "basic",
    scope: "transports:write",
    rateClass: "write",
    params: z.strictObject({ id: storableText(1_024) }),
    handler: async ({ params: { id }, caller: { account } }) => {
      const transport = await transports.read(postgres, { account: account.number, key: id });
      if (transport === undefined) throw refusal("RECORD_NOT_FOUND", "No transport has this id.");
      const outbound = transportOutbound.ofAccount(account.number);
      const checks = await look({ ...transport, accountId: account.id }, { outbound, resolveTxt, sealer });
      return { status: 200, body: { ok: checks.every(({ ok }) => ok), checks } };
    },
  });
}
