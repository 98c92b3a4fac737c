import { roles, toTimestamp } from "@headwater/contracts";
import { type Caller, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";

const answer = z.strictObject({
  caller: z.strictObject({
    kind: z.enum(["key", "person", "assistant"]),
    id: z.string(),
    name: z.string(),
    client: z.string().optional(),
  }),
  account: z.strictObject({ id: z.string(), name: z.string() }),
  role: z.enum(roles).optional(),
  scopes: z.array(z.string()),
  expiresAt: z.string().optional(),
});

const example = {
  caller: { kind: "key", id: "65f0c0ffee65f0c0ffee0001", name: "shop backend" },
  account: { id: "65f0c0ffee65f0c0ffee0002", name: "shop" },
  scopes: ["read", "orders:write"],
  expiresAt: "2027-01-01T00:00:00.000Z",
};

function toBody({ kind, id, name, client, account, role, scopes, expiresAtMs }: Caller): z.output<typeof answer> {
  return {
    caller: { kind, id, name, ...(client !== undefined && { client }) },
    account: { id: account.id, name: account.name },
    ...(role !== undefined && { role }),
    scopes: [...scopes],
    ...(expiresAtMs !== undefined && { expiresAt: toTimestamp(expiresAtMs) }),
  };
}

/** Needs no scope: whoever calls may know as what, so that a client can say what it lacks before it is refused. */
export function whoami(): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/whoami",
    operationId: "whoami",
    summary: "Returns who calls: the key or person, the account, the scopes and their end.",
    tags: ["whoami"],
    answers: { 200: { description: "The caller.", schema: answer, example } },
    auth: "basic",
    rateClass: "read",
    handler: ({ caller }) => ({ status: 200, body: toBody(caller) }),
  });
}
