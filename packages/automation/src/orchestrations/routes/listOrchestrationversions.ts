import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery } from "@headwater/api/paging/query";
import type { AfterPorts, RoutePorts } from "@headwater/api/ports";
import { toTimestamp } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { countLive } from "../../runs/runCounts.ts";
import { orchestrationParams, UNKNOWN_ORCHESTRATION, unknownOrchestration } from "../orchestrationCall.ts";
import * as orchestrations from "../postgres.ts";

const query = z.strictObject(listQuery);

const version = z.strictObject({
  version: z.int(),
  compositionID: z.string(),
  publishedAt: z.string(),
  live: z.int().describe("Runs on their way through this version."),
});

const example = {
  data: [
    {
      ...{ version: 2, compositionID: "65f0c0ffee65f0c0ffee0202" },
      ...{ publishedAt: "2026-01-09T22:47:12.000Z", live: 120 },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const cursorKey = z.strictObject({ version: z.int() });

interface VersionsList extends orchestrations.OrchestrationName {
  readonly query: z.output<typeof query>;
}

/** Throws 404 `ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND`. */
async function listVersions(
  { query: input, ...name }: VersionsList,
  { postgres, cursors }: Pick<RoutePorts, "cursors" | "postgres">,
): Promise<Answer> {
  const { account, orchestration } = name;
  const row = await orchestrations.orchestrations.read(postgres, { account, key: orchestration });
  if (row === undefined) throw unknownOrchestration();
  const list = `versions of ${orchestration}`;
  const page = readPage(input, { list, key: cursorKey, direction: "desc", account, cursors });
  const pick = pickFields(input.fields, Object.keys(version.shape));
  const { after, direction, skip, perPage } = page;
  const bounds = { direction, skip, rowsMax: perPage + 1, after: after?.version };
  const { rows, total } = await readCounted(postgres, input, {
    page: (session) => orchestrations.pageVersions(session, { ...name, ...bounds }),
    count: async () => row.version ?? 0,
  });
  const cut = cutPage(rows, page, ({ version }) => ({ version }));
  const live = await countLive(postgres, name);
  const view = cut.rows.map(({ version, compositionId: compositionID, publishedAt }) =>
    pick({ version, compositionID, publishedAt: toTimestamp(publishedAt), live: live.get(version) ?? 0 }),
  );
  const path = `/v2/orchestrations/${encodeURIComponent(orchestration)}/versions`;
  return listAnswer({ path, query: input, page, listed: { ...cut, rows: view }, total });
}

export function listOrchestrationversions(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orchestrations/{orchestrationID}/versions",
    operationId: "listOrchestrationversions",
    summary: "Lists the published versions of an orchestration, the newest first.",
    tags: ["orchestrations"],
    answers: {
      200: { description: "A page of versions.", schema: pageOf(version.partial()), example },
      404: { description: UNKNOWN_ORCHESTRATION },
    },
    auth: "basic",
    scope: "orchestrations:read",
    rateClass: "read",
    params: orchestrationParams,
    query,
    handler: async ({ params: { orchestrationID: orchestration }, query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listVersions({ account: caller.account.number, orchestration, query: input }, ports);
    },
  });
}
