import { pageOf } from "@headwater/api/paging/answerSchema";
import { roles } from "@headwater/contracts";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { rightsOf } from "../role.ts";

const roleShape = z.strictObject({
  role: z.enum(roles),
  description: z.string(),
  scopes: z.array(z.string()),
  operations: z
    .array(z.string())
    .optional()
    .meta({ description: "The only operations that the role may call. Absent: all that its scopes open." }),
});

const data = roles.map((role) => ({ role, ...rightsOf(role) }));
const body = { data, pagination: { per_page: data.length, next_cursor: null } };

/** The roles of people; the same for every account and every caller. */
export function listRoles(): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/roles",
    operationId: "listRoles",
    summary: "Lists the roles that people can have in an account, with their scopes.",
    description:
      "`read` and `write` hold for every ordinary resource, `admin` for those that administer the account; `<resource>:read` and `<resource>:write` hold for one.",
    tags: ["roles"],
    answers: { 200: { description: "All roles, the widest first.", schema: pageOf(roleShape), example: body } },
    auth: "basic",
    rateClass: "read",
    handler: () => ({ status: 200, body }),
  });
}
