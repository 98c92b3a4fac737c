import { includesOf, type StoredContent } from "@headwater/messaging";
import { setIncludesUsed } from "@headwater/stores/includes";
import type { Transaction } from "@headwater/stores/postgres";
import type { StoredTemplate } from "@headwater/stores/templates";
import { mistakesOfData } from "../messages/dataMistakes.ts";
import { keysOf, mistakesOfIncludes } from "../messages/includeMistakes.ts";
import { type Message, readMessage } from "../messages/messageBody.ts";
import { invalidContent, prepareParts } from "../messages/prepareParts.ts";
import { problemsOfTransport } from "../transports/problemsOfTransport.ts";
import type { TemplatePorts } from "./templatePorts.ts";

/** A content that was checked, with the places of its includes. */
export interface CheckedContent extends Awaited<ReturnType<typeof prepareParts>> {
  readonly content: StoredContent;
}

/** Checks a message and prepares it. @throws HeadwaterError 422 `VALIDATION_ERROR` with every mistake. */
export async function checkMessage(
  account: number,
  { channel, message: given }: { readonly channel: string; readonly message: Message },
  ports: Pick<TemplatePorts, "renders">,
): Promise<CheckedContent> {
  const { message, parts, problems } = readMessage(channel, given);
  if (problems.length > 0) throw invalidContent(problems);
  const prepared = await prepareParts(account, parts, ports);
  const content = {
    message,
    ...(prepared.html !== undefined && { html: prepared.html }),
    includes: keysOf(prepared.includes),
  };
  return { ...prepared, content };
}

/**
 * Checks what a template names, and stores which includes it uses. Runs in the transaction that writes the template.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for includes and transports that cannot be used.
 */
export async function settleReferences(
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
