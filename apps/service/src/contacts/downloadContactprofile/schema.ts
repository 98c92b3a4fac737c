import { z } from "zod";

/** Other types need what this installation does not have: they are refused by name. */
const destination = z.object({ type: z.string().max(64) });

export const body = z.object({
  /** Absent: a file to download. */
  destination: destination.optional(),
  exportType: z.enum(["json", "jsonl"]).default("jsonl"),
});
export type ProfileBody = z.output<typeof body>;
export const requestExample = { destination: { type: "aws" }, exportType: "jsonl" };
