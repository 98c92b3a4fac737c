import type { Answer, Route } from "@headwater/http";
import { setAudiencesUsedBy } from "@headwater/stores/audiences";
import { setIncludesUsed } from "@headwater/stores/includes";
import * as templates from "@headwater/stores/templates";
import { dropEventTrigger, dropRecurringTrigger } from "@headwater/stores/triggers";
import { successExample, successShape } from "../../answers/success.ts";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectVersion } from "../../writing/ifMatch.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { templateParams, unknownTemplate, versionOfTemplate } from "../templateView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
function deleteTemplateOnce(
  call: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return runOnce(postgres, call, async (transaction) => {
    const known = await templates.lockTemplate(transaction, account, key);
    if (known === undefined) throw unknownTemplate();
    expectVersion(ifMatch, versionOfTemplate(known));
    await setIncludesUsed(transaction, { account, kind: "automationtemplate", userId: key }, []);
    await setAudiencesUsedBy(transaction, { account, kind: "automationtemplate", userId: key }, []);
    await dropEventTrigger(transaction, known);
    await dropRecurringTrigger(transaction, known);
    await templates.dropTemplateExperiment(transaction, known);
    await templates.deleteTemplate(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}

export function deleteTemplate(ports: Pick<ServicePorts, "postgres">): Route {
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
    target: "key",
    params: templateParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) =>
      deleteTemplateOnce(once, { key, ifMatch: header("if-match") }, ports),
  });
}
