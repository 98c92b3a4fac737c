import { z } from "zod";
import { destinationMember } from "../../storage/destinationMember.ts";

export const PROFILE_FORMATS = ["json", "jsonl"] as const;

/** Read by `readProfileFormat` and `chooseDestination`. */
export const body = z.looseObject({});
export type ProfileBody = z.output<typeof body>;

export const documentedBody = z.strictObject({
  /** Absent: a file to download. */
  destination: destinationMember.nullish(),
  exportType: z.enum(PROFILE_FORMATS).nullable().default("jsonl"),
});

export const requestExample = { destination: { type: "aws" }, exportType: "jsonl" };
