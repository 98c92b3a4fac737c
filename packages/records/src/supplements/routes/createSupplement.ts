import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { builtInTables } from "../builtInTables.ts";
import { insertSupplement } from "../supplements.ts";
import { savedAnswer, savedExample, tableIndexes, tableName } from "../tableShape.ts";

const body = z.object({
  key: storableText(128).min(1),
  name: tableName.optional(),
  indexes: tableIndexes,
  contactObject: z.boolean().optional(),
  autogenerateIDs: z.boolean().optional(),
});
type CreateTableBody = z.output<typeof body>;

const requestExample = {
  key: "cars",
  name: "Cars",
  indexes: [
    { field: "model", type: "string" },
    { field: "year", type: "number" },
  ],
  contactObject: true,
};

/** Makes a table. Throws 422 `KEY_MUST_BE_UNIQUE`, for keys of tables that every account has, too. */
async function createTable(
  call: OnceCall,
  { key, name, indexes, contactObject = false, autogenerateIDs = false }: CreateTableBody,
  { postgres, clock }: Pick<RoutePorts, "postgres" | "clock">,
): Promise<Answer> {
  const { number: account, settings } = call.caller.account;
  return runOnce(postgres, call, async (transaction) => {
    const rules = { indexes, contactObject, autogenerateIDs, createdAt: clock.nowMs(), timezone: settings.timezone };
    const table = { account, key, ...(name !== undefined && { name }), ...rules };
    const created = builtInTables.has(key) ? undefined : await insertSupplement(transaction, table);
    if (created === undefined) throw taken();
    const body = { success: true, key };
    return { answer: { status: 201, body }, kept: body };
  });
}

function taken() {
  const message = "A supplement with this key already exists.";
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/key", code: "not_allowed", message }] });
}

export function createSupplement(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/supplements",
    operationId: "createSupplement",
    summary: "Creates a table for records of any kind.",
    description:
      "Indexed fields have a type; records can be filtered and sorted by them. With `contactObject` each record carries the `email` or `cID` of its contact; with `autogenerateIDs` the table generates record ids.",
    tags: ["supplements"],
    answers: {
      201: { description: "The table was created.", schema: savedAnswer, example: savedExample },
      422: { description: "KEY_MUST_BE_UNIQUE: a table with this key already exists. VALIDATION_ERROR." },
    },
    scope: "supplements:write",
    dryRun: "rolledBack",
    target: "key",
    body,
    requestExample,
    handler: ({ body: request, once }) => createTable(once, request, ports),
  });
}
