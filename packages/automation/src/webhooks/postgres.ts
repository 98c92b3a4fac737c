import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";

/** Webhooks, in order of (time of creation, id). */
export const webhooks = createResourceTable({
  name: "webhooks",
  key: "id",
  members: {
    url: "text",
    events: "text[] | null",
    actions: "text[] | null",
    description: "text | null",
    enabled: "boolean",
    activation: "integer",
    disabledReason: "text | null",
    /** Sealed, as the former one. */
    secret: "text",
    formerSecret: "text | null",
    formerUntil: "integer | null",
    failingSince: "integer | null",
  },
  derived: { lastAt: "integer | null", lastStatus: "integer | null" },
});

export type StoredWebhook = RowOf<typeof webhooks>;
