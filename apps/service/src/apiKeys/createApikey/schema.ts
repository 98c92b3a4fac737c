import { z } from "zod";
import { apiKeyExample, apiKeyShape } from "../apiKeyView.ts";

export const createdAnswer = apiKeyShape.extend({
  key: z
    .string()
    .optional()
    .meta({ description: "The value, returned once: a replay with the same Idempotency-Key omits it." }),
});

export const createdExample = { ...apiKeyExample, key: "hw_Vb1pcX…" };

export const requestExample = { name: "shop backend", scopes: ["intake"], allowIPs: ["203.0.113.0/24"] };
