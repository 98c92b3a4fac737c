import { storableText } from "@headwater/api/paging/query";
import { z } from "zod";
import { includeMembers } from "../includeView.ts";

export const body = z
  .object({ ...includeMembers, key: storableText(1_024), content: includeMembers.content })
  .partial();
export type IncludeChanges = z.output<typeof body>;

export const requestExample = { content: "<p>{{ unsubscribe_link }}</p>", description: "Under every message." };
