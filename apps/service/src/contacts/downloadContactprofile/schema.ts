import { z } from "zod";
import { destinationMember } from "../../storage/destinationMember.ts";

export const body = z.object({
  /** Absent: a file to download. */
  destination: destinationMember.optional(),
  exportType: z.enum(["json", "jsonl"]).default("jsonl"),
});
export type ProfileBody = z.output<typeof body>;
export const requestExample = { destination: { type: "aws" }, exportType: "jsonl" };
