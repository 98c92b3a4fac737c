import type { Account, JsonPatch } from "@headwater/contracts";
import { classifyFailure } from "@headwater/kernel";
import type { RawMessage } from "@headwater/topics";
import type { DeadLetter } from "../deadLetters/deadLetters.ts";
import type { LetterRefusal } from "../deadLetters/redriveRejections.ts";
import type { Redrive } from "../deadLetters/redrives.ts";
import { judgeRedrive, type RedriveVerdict } from "../operations/redrive.ts";
import { reasonOf } from "../quarantine/quarantine.ts";

export interface PassedLetter {
  readonly letter: DeadLetter;
  /** Its place in the redrive. */
  readonly index: number;
  readonly verdict: Extract<RedriveVerdict, { kind: "passes" }>;
}

export interface WrittenLetter extends PassedLetter {
  readonly message: RawMessage;
}

export interface Judged {
  readonly passed: readonly WrittenLetter[];
  readonly refused: readonly LetterRefusal[];
}

export interface Judging {
  readonly account: Account;
  readonly redrive: Redrive;
  readonly patch: JsonPatch | undefined;
  /** Makes the message that writes it again. */
  readonly toMessage: (letter: PassedLetter) => RawMessage;
}

/**
 * Verdicts as of the time the redrive was asked for, so that a second look comes to the same. Each letter by itself:
 * one of which no message can be made is refused with its reason, like one that validation refuses.
 */
export function judgeLetters(letters: readonly DeadLetter[], judging: Judging): Judged {
  const passed: WrittenLetter[] = [];
  const refused: LetterRefusal[] = [];
  for (const letter of letters) {
    const index = letter.redriveIndex ?? judging.redrive.taken + passed.length;
    const judged = judgeOne(letter, index, judging);
    if ("message" in judged) passed.push(judged);
    else refused.push(judged.refusal);
  }
  return { passed, refused };
}

function judgeOne(
  letter: DeadLetter,
  index: number,
  { account, redrive, patch, toMessage }: Judging,
): WrittenLetter | { readonly refusal: LetterRefusal } {
  const { recordId } = letter;
  try {
    const verdict = judgeRedrive(letter, { account, patch, nowMs: redrive.createdAt, scopes: redrive.scopes });
    if (verdict.kind === "passes") {
      const passed = { letter, index, verdict };
      return { ...passed, message: toMessage(passed) };
    }
    const { code, path, message } = verdict;
    return { refusal: { recordId, code, path, message } };
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    const message = `The record cannot be redriven: ${reasonOf(error)}.`;
    return { refusal: { recordId, code: "INTERNAL_ERROR", path: "", message } };
  }
}
