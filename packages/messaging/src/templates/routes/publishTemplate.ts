import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { resolveExperiment } from "../resolveExperiment.ts";
import { resolveTriggers } from "../resolveTriggers.ts";
import { resolveReferences } from "../saveTemplate.ts";
import type { TemplatePorts } from "../templatePorts.ts";
import { lockTemplate, updateTemplate } from "../templates.ts";
import {
  templateParams,
  templateWritten,
  unknownTemplate,
  versionOfTemplate,
  writtenExample,
} from "../templateView.ts";
import { startsByTriggers } from "../triggers.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
function publishDraft(
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
      await resolveReferences(transaction, published, undefined);
      const nowMs = clock.nowMs();
      await updateTemplate(transaction, published, nowMs);
      await resolveTriggers(transaction, {
        account: call.caller.account,
        template: published,
        checked: undefined,
        nowMs,
      });
      await resolveExperiment(transaction, published, nowMs);
    }
    const body = { success: true, key };
    return { answer: { status: 200, body, headers: { ETag: etagOf(versionOfTemplate(published)) } }, kept: body };
  });
}

export function publishTemplate(ports: Pick<TemplatePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/automationtemplates/{key}/publish",
    operationId: "publishTemplate",
    summary: "Publishes the draft of a template. Without a newer draft nothing changes.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The draft is published.", schema: templateWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    scope: "automationtemplates:write",
    dryRun: { class: "rolledBack", starts: (_answer, record) => startsByTriggers(record) },
    target: "key",
    params: templateParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => publishDraft(once, { key, ifMatch: header("if-match") }, ports),
  });
}
