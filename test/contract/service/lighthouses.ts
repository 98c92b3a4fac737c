import { defineResource } from "@headwater/api/resources/defineResource";
import type { Checked, Checking, ResourcePorts } from "@headwater/api/resources/resourceDefinition";
import { toTimestamp } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import { z } from "zod";

/** Tables of a resource that exists in tests alone: its rows, its users, and what it has in another table. */
export const LIGHTHOUSES_TABLES = [
  "CREATE TABLE lighthouse_ships (account int NOT NULL, key text NOT NULL, ship text NOT NULL)",
  "CREATE TABLE lighthouse_lamps (account int NOT NULL, key text NOT NULL)",
  `CREATE TABLE lighthouses (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  city_name text,
  tags text[],
  open boolean NOT NULL,
  log text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, key)
)`,
];

const table = createResourceTable({
  name: "lighthouses",
  key: "key",
  members: { name: "text", cityName: "text | null", tags: "text[] | null", open: "boolean", log: "text" },
  large: "log",
});

const members = {
  name: z.string().min(1).max(64),
  cityName: z.string().max(64).nullish(),
  tags: z.array(z.string().max(64)).max(10).nullish(),
  open: z.boolean().optional(),
  log: z.string().optional(),
};

const shape = z.strictObject({
  key: z.string(),
  name: z.string(),
  cityName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  open: z.boolean(),
  log: z.string().optional(),
  ct: z.string(),
  lm: z.string(),
});

function toRecord(row: RowOf<typeof table>): z.input<typeof shape> {
  const { key, name, cityName, tags, open, log, createdAt, updatedAt } = row;
  return {
    ...{ key, name, open, ct: toTimestamp(createdAt), lm: toTimestamp(updatedAt) },
    ...(cityName !== null && { cityName }),
    ...(tags !== null && { tags: [...tags] }),
    ...(log !== "" && { log }),
  };
}

const example = {
  ...{ key: "north", name: "North", cityName: "Bergen", tags: ["cold"], open: true },
  ...{ ct: "2026-01-09T22:47:12.000Z", lm: "2026-01-09T22:47:12.000Z" },
};

/** Refuses a log before the write, or in its transaction, and stores that the lighthouse has a lamp. */
async function checkLog(
  { log }: { readonly log?: string | undefined },
  { account, key }: Checking<ResourcePorts>,
): Promise<Checked<RowOf<typeof table>> | undefined> {
  if (log === undefined) return undefined;
  if (log === "refused before") throw refusal("VALIDATION_ERROR", "The log is refused before its write.");
  return {
    async complete(transaction) {
      await transaction.execute({ text: "INSERT INTO lighthouse_lamps VALUES ($1, $2)" }, [account, key]);
      if (log === "refused within") throw refusal("VALIDATION_ERROR", "The log is refused within its write.");
      return {};
    },
  };
}

/** A resource whose key the body chooses, with a member of every type of column. */
export const lighthouses = defineResource({
  resource: "lighthouses",
  noun: "lighthouse",
  table,
  shape,
  example,
  toRecord,
  versioned: ({ name, cityName, tags, open, log }) => [name, cityName, tags, open, log],
  bodyBytesMax: 4_096,
  list: {
    operationId: "listLighthouses",
    summary: "Lists lighthouses.",
    sorts: { createdAt: "createdAt", name: "name", key: "key" },
    filters: { cityName: z.string() },
    largeBytesMax: 100,
  },
  get: { operationId: "getLighthouse", summary: "Returns a lighthouse." },
  create: {
    operationId: "createLighthouse",
    summary: "Creates a lighthouse.",
    body: z.object({ key: z.string().min(1).max(64), ...members }),
    requestExample: { key: "north", name: "North" },
    keyOf: ({ key }) => key,
    toMembers: ({ name, cityName = null, tags = null, open = true, log = "" }) => ({ name, cityName, tags, open, log }),
    check: checkLog,
  },
  update: {
    operationId: "updateLighthouse",
    summary: "Updates a lighthouse.",
    body: z.object({ key: z.string(), ...members }).partial(),
    requestExample: { open: false },
    toMembers(changes, stored) {
      const { name = stored.name, cityName = stored.cityName, tags = stored.tags, open = stored.open } = changes;
      return { name, cityName, tags, open, log: changes.log ?? stored.log };
    },
    check: checkLog,
  },
  delete: {
    operationId: "deleteLighthouse",
    summary: "Deletes a lighthouse.",
    inUse: {
      code: "INCLUDE_IN_USE",
      message: "Ships use this lighthouse.",
      async users(transaction, { account, key }) {
        const text = "SELECT ship FROM lighthouse_ships WHERE account = $1 AND key = $2 ORDER BY ship";
        const rows = await transaction.query<{ ship: string }>({ text }, [account, key]);
        return rows.map(({ ship }) => `The ship ${ship} uses it.`);
      },
    },
    async release({ transaction, account, key }) {
      await transaction.execute({ text: "DELETE FROM lighthouse_lamps WHERE account = $1 AND key = $2" }, [
        account,
        key,
      ]);
      return {};
    },
  },
});
