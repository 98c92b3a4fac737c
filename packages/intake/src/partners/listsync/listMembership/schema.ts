import { z } from "zod";
import { id, listId, maybeId } from "../../reading.ts";

const field = z.looseObject({
  field_id: maybeId,
  field_display_name: maybeId,
  /** `identity_mapping` names the identifier that the contacts' ids are values of. */
  field_type: z.string().optional(),
  value: z.looseObject({ id: maybeId, display_name: maybeId }).optional(),
});

const FIELDS_MAX = 1_000;

export const body = z.looseObject({
  id_token: maybeId,
  /** `segment.users.drain` empties the list. */
  action_type: z.enum(["segment.users.sync", "segment.users.drain"]),
  customer_config: z.looseObject({ fields: z.array(z.unknown()).max(FIELDS_MAX).pipe(z.array(field)) }).optional(),
  data: z.looseObject({
    segment: z.looseObject({ id: listId, name: id }),
    sync_info: z.looseObject({ page_number: id, total_pages: maybeId, sync_task_id: id }),
    add: z.array(z.unknown()).optional(),
    remove: z.array(z.unknown()).optional(),
  }),
});
export type Body = z.infer<typeof body>;

export const sample = {
  id_token: "6f7f2f0e-6c0d-4b57-8a8f-1f7b1f3e9c11",
  action_type: "segment.users.sync",
  customer_config: {
    fields: [
      {
        field_id: "identity_mapping",
        field_display_name: "Identifier",
        field_type: "identity_mapping",
        value: { id: "email", display_name: "E-mail" },
      },
    ],
  },
  data: {
    segment: { id: 92_231_001, name: "Likely to buy" },
    sync_info: { page_number: 1, total_pages: 2, sync_task_id: "task-20260109-1" },
    add: [{ id: "ann@example.com" }, { id: "bob@example.com" }],
    remove: [{ id: "cid@example.com" }],
  },
};
