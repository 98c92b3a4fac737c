import type { Account, JsonPatch } from "@headwater/contracts";
import { judgeRedrive, type RedriveVerdict } from "@headwater/operations";
import type { DeadLetter, LetterRefusal, Redrive } from "@headwater/stores";

export interface PassedLetter {
  readonly letter: DeadLetter;
  /** Its place in the redrive. */
  readonly index: number;
  readonly verdict: Extract<RedriveVerdict, { kind: "passes" }>;
}

export interface Judged {
  readonly passed: readonly PassedLetter[];
  readonly refused: readonly LetterRefusal[];
}

export interface Judging {
  readonly account: Account;
  readonly redrive: Redrive;
  readonly patch: JsonPatch | undefined;
}

/** The door's verdicts as of the time the redrive was asked for, so that a second look comes to the same. */
export function judgeLetters(letters: readonly DeadLetter[], { account, redrive, patch }: Judging): Judged {
  const passed: PassedLetter[] = [];
  const refused: LetterRefusal[] = [];
  const context = { account, patch, nowMs: redrive.createdAt, scopes: redrive.scopes };
  for (const letter of letters) {
    const verdict = judgeRedrive(letter, context);
    if (verdict.kind === "passes") {
      passed.push({ letter, index: letter.redriveIndex ?? redrive.taken + passed.length, verdict });
    } else {
      const { code, path, message } = verdict;
      refused.push({ recordId: letter.recordId, code, message: path === "" ? message : `${path}: ${message}` });
    }
  }
  return { passed, refused };
}
