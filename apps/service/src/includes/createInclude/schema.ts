import { z } from "zod";
import { includeKey, includeMembers } from "../includeView.ts";

export const body = z.object({ key: includeKey, ...includeMembers });
export type NewInclude = z.output<typeof body>;

export const requestExample = {
  key: "footer-2026",
  content: "<p>Unsubscribe: {{ unsubscribe_link }}</p>",
  name: "Footer",
  tags: ["legal"],
};
