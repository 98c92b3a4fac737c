import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type ContentsToCheck, checkContents, mistakesOfTests } from "../batchMessages/checkContents.ts";
import { mistakesOfGoals } from "../batchMessages/examineGoal.ts";
import { includesOf, type TemplateContent } from "../frozen/templateContent.ts";
import { setIncludesUsed } from "../includes/includeUses.ts";
import { mistakesOfData } from "../messages/dataMistakes.ts";
import { mistakesOfIncludes } from "../messages/includeMistakes.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import type { PartInclude } from "../prepare/prepareContent.ts";
import { problemsOfTransport } from "../transports/problemsOfTransport.ts";
import type { TemplatePorts } from "./templatePorts.ts";
import type { StoredTemplate } from "./templates.ts";

/** A content that was checked, with the paths of its includes. */
export interface CheckedContent {
  readonly content: Omit<TemplateContent, "tests" | "variants"> & Partial<TemplateContent>;
  readonly includes: readonly PartInclude[];
}

/** Checks a message with its tests and prepares it. @throws HeadwaterError 422 `VALIDATION_ERROR` with every mistake. */
export async function checkTemplate(
  account: Account,
  toCheck: ContentsToCheck,
  ports: Pick<TemplatePorts, "clickHouse" | "postgres" | "renders">,
): Promise<CheckedContent> {
  const { tests } = toCheck;
  const mistakes = [...mistakesOfTests(tests), ...(await mistakesOfGoals(tests, account, ports))];
  if (mistakes.length > 0) throw invalidContent(mistakes);
  const { content, includes } = await checkContents(account.number, toCheck, ports);
  const { base, variants } = content;
  return { content: { ...base, ...(tests.length > 0 && { tests: [...tests], variants }) }, includes };
}

/**
 * Checks what a template names, and stores which includes it uses. Runs in the transaction that writes the template.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for includes and transports that cannot be used.
 */
export async function resolveReferences(
  transaction: Transaction,
  template: Pick<StoredTemplate, "account" | "key" | "channel" | "transportId" | "published" | "draft">,
  checked: CheckedContent | undefined,
): Promise<void> {
  const { account, key, transportId, channel } = template;
  const problems = [
    ...(await problemsOfTransport(transaction, { account, transportId, channel })),
    ...(checked === undefined ? [] : await mistakesOfIncludes(transaction, { account, includes: checked.includes })),
    ...(await mistakesOfData(transaction, account, checked?.content.message.data)),
  ];
  if (problems.length > 0) throw invalidContent(problems);
  const user = { account, kind: "automationtemplate", userId: key } as const;
  await setIncludesUsed(transaction, user, includesOf(template.published, template.draft));
}
