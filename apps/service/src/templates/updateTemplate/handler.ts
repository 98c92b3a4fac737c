import { isDeepStrictEqual } from "node:util";
import type { Answer } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import { retryOnConflict, WriteConflict } from "@headwater/projection";
import { lockTemplate, readTemplate, type StoredTemplate, updateTemplate } from "@headwater/stores/templates";
import { checkAndRunOnce, type OnceCall } from "../../idempotency/runOnce.ts";
import { orUsual } from "../../messages/orUsual.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { type CheckedRecurring, checkRecurring, recurringIn } from "../checkRecurring.ts";
import { type CheckedContent, checkTemplate, settleReferences } from "../saveTemplate.ts";
import { settleExperiment } from "../settleExperiment.ts";
import { settleTriggers } from "../settleTriggers.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import { newestTests } from "../templateTests.ts";
import { readTemplateSettings, unknownTemplate, usualSettings, versionOfTemplate } from "../templateView.ts";
import type { TemplateChanges } from "./schema.ts";

/** The content was checked with the tests that the body left out. */
const TESTS_CHANGED = "the tests of the template were changed meanwhile";

interface TemplateChange {
  readonly key: string;
  readonly changes: TemplateChanges;
  readonly ifMatch: string | undefined;
}

/**
 * Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 with every mistake of the content. What changes nothing writes nothing.
 * Changes of others that came meanwhile are met again from the beginning: only `ifMatch` makes them a conflict.
 */
export function changeTemplate(
  call: OnceCall,
  { key, changes, ifMatch }: TemplateChange,
  ports: TemplatePorts,
): Promise<Answer> {
  const account = call.caller.account.number;
  return retryOnConflict(() =>
    checkAndRunOnce(ports.postgres, call, {
      check: () => checkChange(call, { key, changes }, ports),
      async write(transaction, { tests, recurring, ...checked }) {
        const known = await lockTemplate(transaction, account, key);
        if (known === undefined) throw unknownTemplate();
        expectVersion(ifMatch, versionOfTemplate(known));
        if (changes.tests === undefined && !isDeepStrictEqual(newestTests(known), tests))
          throw new WriteConflict(TESTS_CHANGED);
        const changed = changedTemplate(known, changes, { ...checked, recurring });
        await settleReferences(transaction, changed, checked);
        if (!isDeepStrictEqual(changed, known)) {
          const nowMs = ports.clock.nowMs();
          await updateTemplate(transaction, changed, nowMs);
          const triggers = { account: call.caller.account, template: changed, checked: recurring, nowMs };
          await settleTriggers(transaction, triggers);
          await settleExperiment(transaction, changed, nowMs);
        }
        const body = { success: true, key };
        return { answer: { status: 200, body, headers: { ETag: etagOf(versionOfTemplate(changed)) } }, kept: body };
      },
    }),
  );
}

/** Its channel never changes, so the content is checked before anything is locked. */
async function checkChange(
  { caller: { account } }: OnceCall,
  { key, changes }: Pick<TemplateChange, "key" | "changes">,
  ports: TemplatePorts,
) {
  const found = await readTemplate(ports.postgres, account.number, key);
  if (found === undefined) throw unknownTemplate();
  const fixed = [...stays("key", changes.key, key), ...stays("channel", changes.channel, found.channel)];
  if (fixed.length > 0) throw invalidContent(fixed);
  const { message } = changes;
  const tests = changes.tests === undefined ? newestTests(found) : (changes.tests ?? []);
  const checked = await checkTemplate(account, { channel: found.channel, message, tests }, ports);
  return { ...checked, tests, recurring: await checkRecurring(changes.triggers, account, ports) };
}

function changedTemplate(
  known: StoredTemplate,
  {
    key: _,
    channel: __,
    message: ___,
    tests: ____,
    tags,
    transportID,
    draftContent,
    triggers,
    ...given
  }: TemplateChanges,
  { content, recurring }: CheckedContent & { readonly recurring: CheckedRecurring | undefined },
): StoredTemplate {
  const text = JSON.stringify(content);
  const settings = readTemplateSettings(known);
  return {
    ...known,
    tags: tags === undefined ? known.tags : tags,
    transportId: transportID === undefined ? known.transportId : transportID,
    settings: JSON.stringify({
      ...settings,
      ...orUsual(given, usualSettings),
      triggers: { ...settings.triggers, ...triggers, ...recurringIn(recurring) },
    }),
    published: draftContent === true ? known.published : text,
    draft: draftContent === true ? text : null,
  };
}

function stays(member: string, given: string | undefined, stored: string): ErrorDetail[] {
  if (given === undefined || given === stored) return [];
  return [{ path: `/${member}`, code: "not_allowed", message: `\`${member}\` cannot be changed.` }];
}
