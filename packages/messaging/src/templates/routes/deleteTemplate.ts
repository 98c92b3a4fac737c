import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { setAudiencesUsedBy } from "@headwater/audiences/audiences/audienceUses";
import type { Answer, Route } from "@headwater/http";
import { deleteEventTrigger } from "@headwater/intake/triggers/eventTriggers";
import { setIncludesUsed } from "../../includes/includeUses.ts";
import type { RoutePorts } from "../../ports.ts";
import { deleteRecurringTrigger } from "../../triggers/recurringTriggers.ts";
import { deleteTemplateEntries } from "../../triggers/templateEntries.ts";
import { deleteTemplateExperiment } from "../templateExperiments.ts";
import * as templates from "../templates.ts";
import { templateParams, unknownTemplate, versionOfTemplate } from "../templateView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
function deleteTemplateOnce(
  call: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return runOnce(postgres, call, async (transaction) => {
    const known = await templates.lockTemplate(transaction, account, key);
    if (known === undefined) throw unknownTemplate();
    expectVersion(ifMatch, versionOfTemplate(known));
    await setIncludesUsed(transaction, { account, kind: "automationtemplate", userId: key }, []);
    await setAudiencesUsedBy(transaction, { account, kind: "automationtemplate", userId: key }, []);
    await deleteEventTrigger(transaction, known);
    await deleteRecurringTrigger(transaction, known);
    await deleteTemplateExperiment(transaction, known);
    await deleteTemplateEntries(transaction, known);
    await templates.deleteTemplate(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}

export function deleteTemplate(ports: Pick<RoutePorts, "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/automationtemplates/{key}",
    operationId: "deleteTemplate",
    summary: "Deletes a template. The numbers of its sends stay.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The template is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    scope: "automationtemplates:write",
    dryRun: "rolledBack",
    target: "key",
    params: templateParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) =>
      deleteTemplateOnce(once, { key, ifMatch: header("if-match") }, ports),
  });
}
