import { setAudiencesUsedBy } from "@headwater/audiences/audiences/audienceUses";
import type { ErrorDetail } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { setIncludesUsed } from "../includes/includeUses.ts";
import { mistakesOfData } from "../messages/dataMistakes.ts";
import { mistakesOfIncludes } from "../messages/includeMistakes.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import { problemsOfTransport } from "../transports/problemsOfTransport.ts";
import { type CheckedAudience, resolveAudiences } from "./checkAudience.ts";
import type { CheckedContents } from "./checkContents.ts";
import { includesOfMessage } from "./storedMessage.ts";

export interface MessageToResolve {
  readonly account: number;
  readonly id: string;
  readonly channel: string;
  readonly transportId: string | null;
  /** JSON text. */
  readonly content: string | null;
}

/** Parts that were checked before; undefined where they stay as they are. */
export interface CheckedParts {
  /** Undefined without a message. */
  readonly contents: CheckedContents | undefined;
  readonly audience: CheckedAudience | undefined;
}

/**
 * Checks what a message names, and stores what it uses. Runs in the transaction that writes the message.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for includes, transports and audiences that cannot be used.
 */
export async function resolveMessage(
  transaction: Transaction,
  { account, id, channel, transportId, content }: MessageToResolve,
  { contents, audience }: CheckedParts,
): Promise<void> {
  const problems: ErrorDetail[] = [
    ...(await problemsOfTransport(transaction, { account, transportId, channel })),
    ...(await mistakesOfIncludes(transaction, { account, includes: contents?.includes ?? [] })),
    ...(await mistakesOfData(transaction, account, contents?.content.base.message.data)),
  ];
  if (problems.length > 0) throw invalidContent(problems);
  const user = { account, kind: "batchmessage", userId: id } as const;
  await setIncludesUsed(transaction, user, includesOfMessage(content));
  if (audience === undefined) return;
  await setAudiencesUsedBy(transaction, user, await resolveAudiences(transaction, account, audience));
}
