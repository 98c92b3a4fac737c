import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import { PAGE_BYTES_NOTE } from "../../paging/pageBytes.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { TABLE_UNKNOWN, tableParams } from "../tableShape.ts";
import { listRecords } from "./handler.ts";
import { query, recordsAnswer, recordsExample } from "./schema.ts";

export function listSupplementrecords(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/supplements/{key}/records",
    operationId: "listSupplementrecords",
    summary: "Lists the records of a table, filtered by indexed fields.",
    description: `\`field=v\` and \`field[gt|gte|lt|lte|eq]=v\` filter by an indexed field: numbers as numbers, dates as times, strings by their bytes, of an array whether it holds the value, of a geo value its members (\`home.city=Rome\`, \`home.loc.lat[gt]=41\`). \`sort_by\` is \`id\` or an indexed string, number or date; without it records are in the order of the first range that filters them, else of ids. Records without the field come last. Where filters leave out many records a page may hold fewer than \`per_page\`: \`next_cursor\` is null at the end alone. ${PAGE_BYTES_NOTE}`,
    tags: ["supplements"],
    answers: {
      200: { description: "A page of records.", schema: recordsAnswer, example: recordsExample },
      400: { description: "BAD_REQUEST: a field is not indexed; `allowed` names those that are. INVALID_CURSOR." },
      404: TABLE_UNKNOWN,
      409: { description: "NOT_YET_APPLIED: the index is being built, or `after` timed out." },
    },
    auth: "basic",
    scope: "supplements:read",
    rateClass: "read",
    params: tableParams,
    query,
    handler: async ({ params: { key }, query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listRecords(key, { query: given, account: caller.account }, ports);
    },
  });
}
