/** Renders that a message is evaluated by, from its start on. */
export const RENDERS_EVALUATED = 100;
/** Answers that a message is evaluated by: the last ones. */
export const ANSWERS_EVALUATED = 200;
const RENDERS_FAILED_MAX = 20;
const POLICY_SHARE_MAX = 0.05;

/** Letters of renders. */
export const RENDER_MARKS = { made: ".", failed: "f" } as const;
/** Letters of answers: about the recipient, a refusal by policy, a fault on our side, and one that leaves no doubt. */
export const ANSWER_MARKS = { other: ".", policy: "p", ours: "t", definite: "d" } as const;
/** Faults on our side, one behind the other, that no answer about a recipient interrupts. */
const OURS_IN_A_ROW = ANSWER_MARKS.ours.repeat(3);

/** Recent sends of a message, one letter each. */
export interface MessageHealth {
  /** The first renders since it began or went on. */
  readonly renders: string;
  /** The last answers, the newest at the end. */
  readonly answers: string;
}

/** Reason for which a message pauses itself. */
export type SelfPause = "transport" | "blocked" | "render";

/**
 * Returns why a message has to pause; undefined while it may go on. A fault on our side leaves nobody bounced, 20 failures of the first 100
 * renders mean a broken content, and policy refusals are evaluated once there are 200 answers: 5 % of the last 200 mean a block.
 */
export function selfPauseOf({ renders, answers }: MessageHealth): SelfPause | undefined {
  if (answers.includes(ANSWER_MARKS.definite) || answers.includes(OURS_IN_A_ROW)) return "transport";
  const last = answers.slice(-ANSWERS_EVALUATED);
  if (last.length === ANSWERS_EVALUATED && countOf(last, ANSWER_MARKS.policy) >= POLICY_SHARE_MAX * ANSWERS_EVALUATED)
    return "blocked";
  const first = renders.slice(0, RENDERS_EVALUATED);
  return countOf(first, RENDER_MARKS.failed) >= RENDERS_FAILED_MAX ? "render" : undefined;
}

function countOf(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
