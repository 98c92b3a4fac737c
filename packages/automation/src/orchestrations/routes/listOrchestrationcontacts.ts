import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts, RoutePorts } from "@headwater/api/ports";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { countListedRuns, pageRuns, RUN_STATES, readSteps } from "../../runs/runReads.ts";
import { orchestrationParams, UNKNOWN_ORCHESTRATION, unknownOrchestration } from "../orchestrationCall.ts";
import { type OrchestrationName, orchestrations } from "../postgres.ts";
import { runShape, runView } from "../runView.ts";

const query = z.strictObject({
  ...listQuery,
  node: storableText(128).min(1).optional().describe("Runs that are at this node, or ended there."),
  state: z.enum(RUN_STATES).optional(),
  cID: storableText(64).optional(),
});

const example = {
  data: [
    {
      ...{ cID: "65f0c0ffee65f0c0ffee0001", version: 2, state: "waiting", node: "wait" },
      since: "2026-01-09T22:47:12.000Z",
      waitsFor: { kind: "facts", until: "2026-01-11T22:47:12.000Z" },
      path: [{ node: "remind", at: "2026-01-09T22:47:10.000Z" }],
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const cursorKey = z.strictObject({ id: storableText(64) });

interface RunsList extends OrchestrationName {
  readonly query: z.output<typeof query>;
}

/** Throws 404 `ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND`. */
async function listRuns(
  { query: input, ...name }: RunsList,
  { postgres, cursors }: Pick<RoutePorts, "cursors" | "postgres">,
): Promise<Answer> {
  const { account, orchestration } = name;
  if ((await orchestrations.read(postgres, { account, key: orchestration })) === undefined)
    throw unknownOrchestration();
  const { node, state, cID: cid } = input;
  const list = JSON.stringify(["runs", orchestration, node, state, cid]);
  const page = readPage(input, { list, key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(input.fields, Object.keys(runShape.shape));
  const { after, direction, skip, perPage } = page;
  const filters = { ...name, ...(node && { node }), ...(state && { state }), ...(cid !== undefined && { cid }) };
  const bounds = { direction, skip, rowsMax: perPage + 1, after: after?.id };
  const { rows, total } = await readCounted(postgres, input, {
    page: (session) => pageRuns(session, { ...filters, ...bounds }),
    count: (session) => countListedRuns(session, filters),
  });
  const cut = cutPage(rows, page, ({ run: { id } }) => ({ id }));
  const ids = cut.rows.map(({ run: { id } }) => id);
  const steps = Map.groupBy(await readSteps(postgres, account, ids), ({ run }) => run);
  const view = cut.rows.map((row) => pick(runView(row, steps.get(row.run.id) ?? [])));
  const path = `/v2/orchestrations/${encodeURIComponent(orchestration)}/contacts`;
  return listAnswer({ path, query: input, page, listed: { ...cut, rows: view }, total });
}

export function listOrchestrationcontacts(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orchestrations/{orchestrationID}/contacts",
    operationId: "listOrchestrationcontacts",
    summary:
      "Lists the contacts that entered an orchestration: where each of them is, what it waits for, and its path.",
    description: "A run each, of all versions, in the order of their ids. A contact may have several.",
    tags: ["orchestrations"],
    answers: {
      200: { description: "A page of runs.", schema: pageOf(runShape.partial()), example },
      404: { description: UNKNOWN_ORCHESTRATION },
    },
    auth: "basic",
    scope: "orchestrations:read",
    rateClass: "read",
    params: orchestrationParams,
    query,
    handler: async ({ params: { orchestrationID: orchestration }, query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listRuns({ account: caller.account.number, orchestration, query: input }, ports);
    },
  });
}
