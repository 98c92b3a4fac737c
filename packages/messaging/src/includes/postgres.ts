import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";

/** Includes, in order of (time of creation, key) or of key alone. */
export const includes = createResourceTable({
  name: "includes",
  key: "key",
  members: { content: "text", name: "text | null", description: "text | null", tags: "text[] | null" },
  large: "content",
});

export type StoredInclude = RowOf<typeof includes>;
