import type { Answer } from "@headwater/http";
import { lockTemplate, updateTemplate } from "@headwater/stores/templates";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { settleReferences } from "../saveTemplate.ts";
import { settleExperiment } from "../settleExperiment.ts";
import { settleTriggers } from "../settleTriggers.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import { unknownTemplate, versionOfTemplate } from "../templateView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
export function publishDraft(
  call: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  { postgres, clock }: Pick<TemplatePorts, "clock" | "postgres">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return runOnce(postgres, call, async (transaction) => {
    const known = await lockTemplate(transaction, account, key);
    if (known === undefined) throw unknownTemplate();
    expectVersion(ifMatch, versionOfTemplate(known));
    const { draft } = known;
    const published = draft === null ? known : { ...known, published: draft, draft: null };
    if (draft !== null) {
      await settleReferences(transaction, published, undefined);
      const nowMs = clock.nowMs();
      await updateTemplate(transaction, published, nowMs);
      await settleTriggers(transaction, {
        account: call.caller.account,
        template: published,
        checked: undefined,
        nowMs,
      });
      await settleExperiment(transaction, published, nowMs);
    }
    const body = { success: true, key };
    return { answer: { status: 200, body, headers: { ETag: etagOf(versionOfTemplate(published)) } }, kept: body };
  });
}
