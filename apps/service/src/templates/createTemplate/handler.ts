import { type Answer, refusal } from "@headwater/http";
import { newTemplateId } from "@headwater/kernel";
import { insertTemplate } from "@headwater/stores/templates";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { orUsual } from "../../messages/orUsual.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { checkRecurring, recurringIn } from "../checkRecurring.ts";
import { checkTemplate, settleReferences } from "../saveTemplate.ts";
import { settleExperiment } from "../settleExperiment.ts";
import { settleTriggers } from "../settleTriggers.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import { usualSettings, versionOfTemplate } from "../templateView.ts";
import { usualTriggers } from "../triggers.ts";
import type { NewTemplate } from "./schema.ts";

/** Throws 422 `VALIDATION_ERROR` with every mistake of the content, `KEY_MUST_BE_UNIQUE` for a key that is taken. */
export async function makeTemplate(
  call: OnceCall,
  { key, channel, message, tags = null, transportID = null, draftContent, triggers, tests, ...given }: NewTemplate,
  ports: TemplatePorts,
): Promise<Answer> {
  const account = call.caller.account.number;
  const checked = await checkTemplate(call.caller.account, { channel, message, tests: tests ?? [] }, ports);
  const checkedRecurring = await checkRecurring(triggers, call.caller.account, ports);
  const content = JSON.stringify(checked.content);
  const template = {
    ...{ account, key, mdtId: newTemplateId(), channel, tags, transportId: transportID },
    settings: JSON.stringify({
      ...usualSettings,
      ...orUsual(given, usualSettings),
      triggers: { ...usualTriggers, ...triggers, ...recurringIn(checkedRecurring) },
    }),
    published: draftContent === true ? null : content,
    draft: draftContent === true ? content : null,
  };
  return runOnce(ports.postgres, call, async (transaction) => {
    await settleReferences(transaction, template, checked);
    const nowMs = ports.clock.nowMs();
    if (!(await insertTemplate(transaction, template, nowMs))) throw keyTaken(key);
    await settleTriggers(transaction, { account: call.caller.account, template, checked: checkedRecurring, nowMs });
    await settleExperiment(transaction, template, nowMs);
    const body = { success: true, key };
    return { answer: { status: 201, body, headers: { ETag: etagOf(versionOfTemplate(template)) } }, kept: body };
  });
}

function keyTaken(key: string) {
  const message = `A template with the key ${JSON.stringify(key)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/key", code: "bad_value", message }] });
}
