import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";

/** Programs, in order of (time of creation, id) or of (name, id). */
export const programs = createResourceTable({
  name: "programs",
  key: "id",
  members: {
    name: "text",
    /** JSON text. */
    messages: "text | null",
    /** JSON text. */
    orchestrations: "text | null",
  },
});

export type StoredProgram = RowOf<typeof programs>;
