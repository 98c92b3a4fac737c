import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { INTAKE_RATE_CLASS } from "./intakeRoutes.ts";

const answer = z.strictObject({ success: z.literal(true), accountId: z.string(), scopes: z.array(z.string()) });

/** Returns whether a key is good, and whose it is. */
export const checkAuth: Route = defineRoute({
  method: "GET",
  path: "/api/checkAuth",
  operationId: "checkAuth",
  summary: "Checks the API key in x-api-key.",
  tags: ["keys"],
  answers: {
    200: {
      description: "The key is valid.",
      schema: answer,
      example: { success: true, accountId: "65f0c0ffee65f0c0ffee0001", scopes: ["intake"] },
    },
  },
  auth: "apiKey",
  rateClass: INTAKE_RATE_CLASS,
  handler: ({ caller }) => ({
    status: 200,
    body: { success: true, accountId: caller.account.id, scopes: caller.scopes },
  }),
});
