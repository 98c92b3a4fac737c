import type { Account, JsonPatch } from "@headwater/contracts";
import { classifyFailure } from "@headwater/kernel";
import type { RawMessage } from "@headwater/topics";
import type { DeadLetter } from "../deadLetters/deadLetters.ts";
import type { DeadLetterRefusal } from "../deadLetters/redriveRejections.ts";
import type { Redrive } from "../deadLetters/redrives.ts";
import { type RedriveVerdict, validateRedrive } from "../operations/redrive.ts";
import { reasonOf } from "../quarantine/quarantine.ts";

export interface PassedDeadLetter {
  readonly letter: DeadLetter;
  /** Its position in the redrive. */
  readonly index: number;
  readonly verdict: Extract<RedriveVerdict, { kind: "passes" }>;
}

export interface WrittenDeadLetter extends PassedDeadLetter {
  readonly message: RawMessage;
}

export interface Validated {
  readonly passed: readonly WrittenDeadLetter[];
  readonly refused: readonly DeadLetterRefusal[];
}

export interface Judging {
  readonly account: Account;
  readonly redrive: Redrive;
  readonly patch: JsonPatch | undefined;
  /** Makes the message that writes it again. */
  readonly toMessage: (deadLetter: PassedDeadLetter) => RawMessage;
}

/**
 * Results as of the time the redrive was asked for, so that a second look comes to the same. Each dead letter by itself:
 * one of which no message can be made is refused with its reason, like one that validation refuses.
 */
export function validateDeadLetters(deadLetters: readonly DeadLetter[], judging: Judging): Validated {
  const passed: WrittenDeadLetter[] = [];
  const refused: DeadLetterRefusal[] = [];
  for (const letter of deadLetters) {
    const index = letter.redriveIndex ?? judging.redrive.taken + passed.length;
    const validated = validateOne(letter, index, judging);
    if ("message" in validated) passed.push(validated);
    else refused.push(validated.refusal);
  }
  return { passed, refused };
}

function validateOne(
  letter: DeadLetter,
  index: number,
  { account, redrive, patch, toMessage }: Judging,
): WrittenDeadLetter | { readonly refusal: DeadLetterRefusal } {
  const { recordId } = letter;
  try {
    const verdict = validateRedrive(letter, { account, patch, nowMs: redrive.createdAt, scopes: redrive.scopes });
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
