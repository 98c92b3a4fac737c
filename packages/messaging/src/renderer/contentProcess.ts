import { serveTasks } from "@headwater/sandbox/serve";
import { composeMail } from "../compose/composeMail.ts";
import type { MailToCompose } from "../compose/mailToCompose.ts";
import { type ContentPart, prepareContent } from "../prepare/prepareContent.ts";
import { checkExpressions, type MappingExpression } from "../providerEvents/readProviderEvents.ts";
import { ParsedContents } from "../render/parsedContents.ts";
import { RenderFailure, type RenderRequest, renderMessage } from "../render/renderMessage.ts";
import type { RenderProblem, RenderTaskResult } from "./renderProblem.ts";

const parsed = new ParsedContents();

const contentTasks = {
  compose: (mail: MailToCompose) => composeMail(mail),
  checkExpressions: (expressions: readonly MappingExpression[]) => checkExpressions(expressions),
  prepare: (parts: readonly ContentPart[]) => prepareContent(parts),
  render: (request: RenderRequest): RenderTaskResult => {
    try {
      return { kind: "rendered", rendered: renderMessage(request, parsed) };
    } catch (error) {
      if (!(error instanceof RenderFailure)) throw error;
      return { kind: "problem", problem: problemOf(error) };
    }
  },
};

/** Tasks of the processes that prepare, render and compose contents. */
export type ContentTasks = typeof contentTasks;

function problemOf({ message, path, line, column, holdsValues }: RenderFailure): RenderProblem {
  return {
    message,
    path,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(holdsValues && { holdsValues }),
  };
}

await serveTasks(contentTasks);
