import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readDeadLetter } from "@headwater/stores/deadLetters";
import type { ServicePorts } from "../../ports.ts";
import { deadLetterRecord } from "../deadLetterView.ts";
import { isShown, unknownDeadLetter } from "../selection.ts";

/** Throws 404 `RECORD_NOT_FOUND`. */
export async function readOneDeadletter(
  recordId: string,
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const letter = await readDeadLetter(postgres, { account: account.number, recordId });
  if (letter === undefined || !isShown(letter.status)) throw unknownDeadLetter();
  return { status: 200, body: deadLetterRecord(letter) };
}
