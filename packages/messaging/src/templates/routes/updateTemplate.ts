import { isDeepStrictEqual } from "node:util";
import { checkAndRunOnce, type OnceCall } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import { retryOnConflict, WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { z } from "zod";
import { readAlertsView } from "../../messages/alerts.ts";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { orDefault } from "../../messages/orDefault.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import { type CheckedRecurring, checkRecurring, recurringIn } from "../checkRecurring.ts";
import { resolveExperiment } from "../resolveExperiment.ts";
import { resolveTriggers } from "../resolveTriggers.ts";
import { type CheckedContent, checkTemplate, resolveReferences } from "../saveTemplate.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import * as templates from "../templates.ts";
import { newestTests } from "../templateTests.ts";
import {
  defaultSettings,
  messageExample,
  readTemplateSettings,
  templateMembers,
  templateParams,
  templateRecord,
  templateWritten,
  unknownTemplate,
  versionOfTemplate,
  writtenExample,
} from "../templateView.ts";
import { startsByTriggers } from "../triggers.ts";

const { message, tests, ...rest } = templateMembers;

const body = z.object({
  ...z.object(rest).partial().shape,
  key: storableText(1_024).optional(),
  message,
  tests: tests.optional(),
  draft: message
    .optional()
    .describe("With `draftContent`: the content of the draft, which an answer has next to the published `message`."),
  draftTests: tests.optional(),
});
type TemplateChanges = Omit<z.output<typeof body>, "draft" | "draftTests">;

/** Returns the changes with the content to store: a template that is sent back as it was read has its draft next to the published content. */
function changesMeant({ draft, draftTests, ...changes }: z.output<typeof body>): TemplateChanges {
  if (draft === undefined || changes.draftContent !== true) return changes;
  return { ...changes, message: draft, ...(draftTests !== undefined && { tests: draftTests }) };
}

const requestExample = {
  ...{ name: "Welcome again", message: messageExample, draftContent: true },
  triggers: {
    event: { enabled: true, action: "signup", where: [{ field: "source", op: "eq", value: "shop" }] },
  },
};

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
function updateTemplateOnce(
  call: OnceCall,
  { key, changes, ifMatch }: TemplateChange,
  ports: TemplatePorts,
): Promise<Answer> {
  const account = call.caller.account.number;
  return retryOnConflict(() =>
    checkAndRunOnce(ports.postgres, call, {
      check: () => checkChange(call, { key, changes }, ports),
      async write(transaction, { tests, recurring, ...checked }) {
        const known = await templates.lockTemplate(transaction, account, key);
        if (known === undefined) throw unknownTemplate();
        expectVersion(ifMatch, versionOfTemplate(known));
        if (changes.tests === undefined && !isDeepStrictEqual(newestTests(known), tests))
          throw new WriteConflict(TESTS_CHANGED);
        const changed = changedTemplate(known, changes, { ...checked, recurring });
        await resolveReferences(transaction, changed, checked);
        const nowMs = ports.clock.nowMs();
        if (!isDeepStrictEqual(changed, known)) {
          await templates.updateTemplate(transaction, changed, nowMs);
          const triggers = { account: call.caller.account, template: changed, checked: recurring, nowMs };
          await resolveTriggers(transaction, triggers);
          await resolveExperiment(transaction, changed, nowMs);
        }
        const body = { success: true, key };
        const answer = { status: 200, body, headers: { ETag: etagOf(versionOfTemplate(changed)) } };
        const { mdtId } = known;
        const watched = { account, ids: call.readOnly?.members.length ? [mdtId] : [] };
        const alertsOf = await readAlertsView(transaction, watched, ports);
        const record = templateRecord(known, { account: call.caller.account, nowMs });
        return { answer, kept: body, stored: { ...record, ...alertsOf(mdtId) } };
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
  const found = await templates.readTemplate(ports.postgres, account.number, key);
  if (found === undefined) throw unknownTemplate();
  const fixed = [...stays("key", changes.key, key), ...stays("channel", changes.channel, found.channel)];
  if (fixed.length > 0) throw invalidContent(fixed);
  const { message } = changes;
  const tests = changes.tests === undefined ? newestTests(found) : (changes.tests ?? []);
  const checked = await checkTemplate(account, { channel: found.channel, message, tests }, ports);
  return { ...checked, tests, recurring: await checkRecurring(changes.triggers, account, ports) };
}

function changedTemplate(
  known: templates.StoredTemplate,
  {
    key: _,
    channel: __,
    message: ___,
    tests: ____,
    tags,
    transportID,
    draftContent,
    triggers,
    ...input
  }: TemplateChanges,
  { content, recurring }: CheckedContent & { readonly recurring: CheckedRecurring | undefined },
): templates.StoredTemplate {
  const text = JSON.stringify(content);
  const settings = readTemplateSettings(known);
  return {
    ...known,
    tags: tags === undefined ? known.tags : tags,
    transportId: transportID === undefined ? known.transportId : transportID,
    settings: JSON.stringify({
      ...settings,
      ...orDefault(input, defaultSettings),
      triggers: { ...settings.triggers, ...triggers, ...recurringIn(recurring) },
    }),
    published: draftContent === true ? known.published : text,
    draft: draftContent === true ? text : null,
  };
}

function stays(member: string, provided: string | undefined, stored: string): ErrorDetail[] {
  if (provided === undefined || provided === stored) return [];
  return [{ path: `/${member}`, code: "not_allowed", message: `\`${member}\` cannot be changed.` }];
}

export function updateTemplate(ports: TemplatePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/automationtemplates/{key}",
    operationId: "updateTemplate",
    summary: "Updates a template and publishes its content, or keeps it as a newer draft.",
    description:
      "`message` is needed and replaces the former one; other absent members stay. Every mistake is reported with `line` and `column`. `key` and `channel` cannot be changed.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The updated template.", schema: templateWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    scope: "automationtemplates:write",
    dryRun: { class: "rolledBack", starts: (_answer, record) => startsByTriggers(record) },
    target: "key",
    params: templateParams,
    body,
    warnsOf: messageWarnings,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { key }, body: received, once, header }) =>
      updateTemplateOnce(once, { key, changes: changesMeant(received), ifMatch: header("if-match") }, ports),
  });
}
