import type { StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readIncludeContents } from "../../includes/includeUses.ts";
import { beginMessage, type SendingMessage } from "../startMessages.ts";
import { includesOfFrozen, readFrozen } from "./frozen.ts";
import type { SendProgress } from "./progress.ts";

/** Starts a message: its includes are read now, and stay so whatever becomes of them. */
export async function beginSending(
  transaction: Transaction,
  message: SendingMessage,
  nowMs: number,
): Promise<StepEnd<SendProgress>> {
  const { account, id } = message;
  const frozen = readFrozen(message.frozen);
  const contents = await readIncludeContents(transaction, account, includesOfFrozen(frozen));
  const includes = Object.fromEntries(contents.map(({ key, content }) => [key, content]));
  await beginMessage(transaction, { account, id, frozen: JSON.stringify({ ...frozen, includes }) }, nowMs);
  return { kind: "more", progress: { phase: "snapshot" } };
}
