import { defineResource } from "@headwater/api/resources/defineResource";
import { toTimestamp } from "@headwater/contracts";
import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import { z } from "zod";

/** Table of a resource that exists in tests alone. */
export const LIGHTHOUSES_TABLE = `CREATE TABLE lighthouses (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  city_name text,
  tags text[],
  open boolean NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, key)
)`;

const table = createResourceTable({
  name: "lighthouses",
  key: "key",
  members: { name: "text", cityName: "text | null", tags: "text[] | null", open: "boolean" },
});

const members = {
  name: z.string().min(1).max(64),
  cityName: z.string().max(64).nullish(),
  tags: z.array(z.string().max(64)).max(10).nullish(),
  open: z.boolean().optional(),
};

const shape = z.strictObject({
  key: z.string(),
  name: z.string(),
  cityName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  open: z.boolean(),
  ct: z.string(),
  lm: z.string(),
});

function toRecord(row: RowOf<typeof table>): z.input<typeof shape> {
  const { key, name, cityName, tags, open, createdAt, updatedAt } = row;
  return {
    ...{ key, name, open, ct: toTimestamp(createdAt), lm: toTimestamp(updatedAt) },
    ...(cityName !== null && { cityName }),
    ...(tags !== null && { tags: [...tags] }),
  };
}

const example = {
  ...{ key: "north", name: "North", cityName: "Bergen", tags: ["cold"], open: true },
  ...{ ct: "2026-01-09T22:47:12.000Z", lm: "2026-01-09T22:47:12.000Z" },
};

/** A resource whose key the body chooses, with a member of every type of column. */
export const lighthouses = defineResource({
  resource: "lighthouses",
  noun: "lighthouse",
  table,
  shape,
  example,
  toRecord,
  versioned: ({ name, cityName, tags, open }) => [name, cityName, tags, open],
  list: {
    operationId: "listLighthouses",
    summary: "Lists lighthouses.",
    sorts: { createdAt: "createdAt", name: "name", key: "key" },
  },
  get: { operationId: "getLighthouse", summary: "Returns a lighthouse." },
  create: {
    operationId: "createLighthouse",
    summary: "Creates a lighthouse.",
    body: z.object({ key: z.string().min(1).max(64), ...members }),
    requestExample: { key: "north", name: "North" },
    keyOf: ({ key }) => key,
    toMembers: ({ name, cityName = null, tags = null, open = true }) => ({ name, cityName, tags, open }),
  },
  update: {
    operationId: "updateLighthouse",
    summary: "Updates a lighthouse.",
    body: z.object(members).partial(),
    requestExample: { open: false },
    toMembers(changes, stored) {
      const { name = stored.name, cityName = stored.cityName, tags = stored.tags, open = stored.open } = changes;
      return { name, cityName, tags, open };
    },
  },
  delete: { operationId: "deleteLighthouse", summary: "Deletes a lighthouse." },
});
