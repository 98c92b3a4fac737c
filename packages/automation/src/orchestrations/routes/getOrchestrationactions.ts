import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts, RoutePorts } from "@headwater/api/ports";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { hasForbiddenText } from "@headwater/kernel";
import { readContentKeys } from "@headwater/messaging/templates/templates";
import { z } from "zod";
import { templatesOf } from "../checks.ts";
import type { DraftAction, Node } from "../orchestration.ts";
import { orchestrationParams, UNKNOWN_ORCHESTRATION, unknownOrchestration } from "../orchestrationCall.ts";
import * as orchestrations from "../postgres.ts";

const query = z.strictObject({
  ...afterQuery,
  version: z
    .union([z.literal("draft"), z.coerce.number().int().min(1).max(2_147_483_647)])
    .optional()
    .describe("`draft`, or the number of a version. Default: the one that new runs follow, else the draft."),
});

const action = z.strictObject({
  id: z.string(),
  label: z.string(),
  type: z.string(),
  templateKey: z.string().optional(),
  currentContentKey: z
    .string()
    .optional()
    .describe("Names the content that a send would use now; absent where the template is not published."),
  config: z.looseObject({}),
  next: z.array(z.strictObject({ id: z.string(), label: z.string().optional() })),
});

const answer = z.strictObject({ version: z.union([z.literal("draft"), z.int()]), data: z.array(action) });

const example = {
  version: 1,
  data: [
    {
      ...{ id: "remind", label: "remind", type: "message" },
      ...{ templateKey: "cart-reminder", currentContentKey: "9f86d081884c7d659a2feaa0" },
      config: { templateKey: "cart-reminder", onSkip: "next" },
      next: [{ id: "wait" }],
    },
  ],
};

interface ActionsRead extends orchestrations.OrchestrationName {
  readonly version: "draft" | number | undefined;
}

/** Throws 404 `ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND`, or `RECORD_NOT_FOUND` for an unknown version. */
async function readActions(
  { account, orchestration, version }: ActionsRead,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const row = await orchestrations.orchestrations.read(postgres, { account, key: orchestration });
  if (row === undefined) throw unknownOrchestration();
  const wanted = version ?? row.version ?? "draft";
  const actions = await actionsOf(row, wanted, postgres);
  const keys = templatesOf(actions).filter((key) => !hasForbiddenText(key));
  const contents = await readContentKeys(postgres, account, keys);
  return { status: 200, body: { version: wanted, data: actions.map((one) => viewOf(one, contents)) } };
}

async function actionsOf(
  row: orchestrations.StoredOrchestration,
  wanted: "draft" | number,
  postgres: RoutePorts["postgres"],
): Promise<readonly (DraftAction | Node)[]> {
  const { draft, published } = orchestrations.readContent(row);
  if (wanted === "draft") return draft.actions;
  if (wanted === row.version && published !== undefined) return published.actions;
  const { account, orchestrationID: orchestration } = row;
  const found = await orchestrations.readVersion(postgres, { account, orchestration, version: wanted });
  if (found === undefined) throw refusal("RECORD_NOT_FOUND", "The orchestration has no such version.");
  return found.composition.actions;
}

function viewOf(one: DraftAction | Node, contents: ReadonlyMap<string, string>): z.input<typeof action> {
  const { id, type, label = id, config = {}, next = [] } = one;
  const [templateKey] = templatesOf([one]);
  const currentContentKey = templateKey === undefined ? undefined : contents.get(templateKey);
  return {
    ...{ id, label, type, config, next: [...next] },
    ...(templateKey !== undefined && { templateKey }),
    ...(currentContentKey !== undefined && { currentContentKey }),
  };
}

export function getOrchestrationactions(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orchestrations/{orchestrationID}/actions",
    operationId: "getOrchestrationactions",
    summary: "Returns the nodes and edges of an orchestration, so that its graph can be drawn.",
    tags: ["orchestrations"],
    answers: {
      200: { description: "The nodes in their order; runs begin at the first.", schema: answer, example },
      404: {
        description: `${UNKNOWN_ORCHESTRATION} RECORD_NOT_FOUND: it has no such version.`,
      },
    },
    auth: "basic",
    scope: "orchestrations:read",
    rateClass: "read",
    params: orchestrationParams,
    query,
    handler: async ({ params: { orchestrationID }, query: { after, version }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readActions({ account: caller.account.number, orchestration: orchestrationID, version }, ports);
    },
  });
}
