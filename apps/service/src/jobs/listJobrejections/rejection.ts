import { itemOfRecord } from "@headwater/operations";
import type { RedriveRejection } from "@headwater/stores/deadLetters";
import type { JobRejection } from "@headwater/stores/jobs";
import { z } from "zod";

export const rejectionShape = z.strictObject({
  /**
   * The row's place in the source, from 0. For a redrive: the record's place in it, as in its receipt; absent for a letter that validation
   * refused, which was not written.
   */
  index: z.number().int().optional(),
  /** Line of the source it begins on, from 1; absent where the source has none. */
  line: z.number().int().optional(),
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
  /** The row as it was read; for a redrive: the item of the dead letter. */
  record: z.unknown(),
  /** Id of the dead letter that stands for it now; only of a redrive. */
  deadLetter: z.string().optional(),
  /** Id of the dead letter whose record a redrive wrote and that was rejected again; absent when validation refused the letter itself. */
  redriveOf: z.string().optional(),
});
export type Rejection = z.output<typeof rejectionShape>;

export const REJECTION_MEMBERS = rejectionShape.keyof().options;

export function toRejection({ index, line, code, message, path, record }: JobRejection): Rejection {
  return { index, ...(typeof line === "number" && { line }), code, message, ...(path !== null && { path }), record };
}

export function toRejectionOfRedrive(rejection: RedriveRejection): Rejection {
  const { index, code, message, path, recordId: deadLetter, redriveOf } = rejection;
  return {
    ...(redriveOf !== null && { index }),
    code,
    message,
    ...(path !== "" && { path }),
    record: itemOfRecord(rejection),
    deadLetter,
    ...(redriveOf !== null && { redriveOf }),
  };
}
