import type { Answer } from "@headwater/http";
import { setAudiencesUsedBy } from "@headwater/stores/audiences";
import { setIncludesUsed } from "@headwater/stores/includes";
import { deleteTemplate, dropTemplateExperiment, lockTemplate } from "@headwater/stores/templates";
import { dropEventTrigger, dropRecurringTrigger } from "@headwater/stores/triggers";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectVersion } from "../../writing/ifMatch.ts";
import { unknownTemplate, versionOfTemplate } from "../templateView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
export function dropTemplate(
  call: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return runOnce(postgres, call, async (transaction) => {
    const known = await lockTemplate(transaction, account, key);
    if (known === undefined) throw unknownTemplate();
    expectVersion(ifMatch, versionOfTemplate(known));
    await setIncludesUsed(transaction, { account, kind: "automationtemplate", userId: key }, []);
    await setAudiencesUsedBy(transaction, { account, kind: "automationtemplate", userId: key }, []);
    await dropEventTrigger(transaction, known);
    await dropRecurringTrigger(transaction, known);
    await dropTemplateExperiment(transaction, known);
    await deleteTemplate(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}
