import { successShape } from "@headwater/api/answers/success";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { clearTable } from "../emptyTable.ts";
import { TABLE_UNKNOWN, tableParams } from "../tableShape.ts";

const clearAnswer = successShape.extend({ key: z.string(), jobId: z.string() });
const clearExample = { success: true, key: "cars", jobId: "65f0c0ffee65f0c0ffee0001" };

export function clearSupplement(ports: WritePorts & Pick<RoutePorts, "queue">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/supplements/{key}/clear",
    operationId: "clearSupplement",
    summary: "Removes all records of a table.",
    description:
      "The table is empty when the response arrives: records accepted earlier never reappear, even when they are applied later. The job removes the stored data.",
    tags: ["supplements"],
    answers: {
      200: { description: "The table is empty.", schema: clearAnswer, example: clearExample },
      404: TABLE_UNKNOWN,
    },
    scope: "supplements:write",
    dryRun: "rolledBack",
    target: "key",
    params: tableParams,
    handler: ({ params: { key }, once }) => clearTable(once, key, ports),
  });
}
