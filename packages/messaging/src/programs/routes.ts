import { defineResource } from "@headwater/api/resources/defineResource";
import type { ResourcePorts } from "@headwater/api/resources/resourceDefinition";
import { toTimestamp } from "@headwater/contracts";
import type { Route } from "@headwater/http";
import { newProgramId } from "@headwater/kernel";
import { z } from "zod";
import type { RoutePorts } from "../ports.ts";
import { programs, type StoredProgram } from "./postgres.ts";
import { programMembers, readLists, toStored } from "./program.ts";
import { getProgramsummary } from "./routes/getProgramsummary.ts";
import { listProgramstats } from "./routes/listProgramstats.ts";

const listView = z.array(z.string()).optional();

const shape = z.strictObject({
  id: z.string(),
  name: z.string(),
  messages: z.strictObject({ ids: listView, keys: listView, tags: listView }).optional(),
  orchestrations: z.strictObject({ ids: listView, tags: listView }).optional(),
  ct: z.string(),
  lm: z.string(),
});

function toRecord(row: StoredProgram): z.input<typeof shape> {
  const { messages, orchestrations } = readLists(row);
  return {
    id: row.id,
    name: row.name,
    ...(messages !== null && { messages }),
    ...(orchestrations !== null && { orchestrations }),
    ct: toTimestamp(row.createdAt),
    lm: toTimestamp(row.updatedAt),
  };
}

const example = {
  id: "65f0c0ffee65f0c0ffee00b1",
  name: "Spring sale",
  messages: { ids: ["65f0c0ffee65f0c0ffee0007"], keys: ["cart-reminder"], tags: ["spring"] },
  orchestrations: { ids: ["65f0c0ffee65f0c0ffee0101"] },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};

const plainRoutes = defineResource({
  resource: "programs",
  noun: "program",
  table: programs,
  shape,
  example,
  toRecord,
  versioned: ({ name, messages, orchestrations }) => [name, messages, orchestrations],
  list: {
    operationId: "listPrograms",
    summary: "Lists programs in order of creation.",
    sorts: { ct: "createdAt", createdAt: "createdAt", name: "name" },
  },
  get: { operationId: "getProgram", summary: "Returns a program by its id." },
  create: {
    operationId: "createProgram",
    summary: "Creates a program: messages and orchestrations whose numbers are reported together.",
    description: "At least one id, key or tag is required. Messages need not exist yet.",
    body: z.object(programMembers),
    requestExample: {
      name: example.name,
      messages: example.messages,
      orchestrations: example.orchestrations,
    },
    keyOf: newProgramId,
    toMembers: ({ name, messages = null, orchestrations = null }) => toStored(name, { messages, orchestrations }),
  },
  update: {
    operationId: "updateProgram",
    summary: "Updates a program. Absent members stay unchanged, `messages` and `orchestrations` are given as a whole.",
    body: z.object(programMembers).partial(),
    requestExample: { name: "Spring sale 2026", messages: { tags: ["spring", "sale"] } },
    toMembers(changes, stored) {
      const before = readLists(stored);
      const { name = stored.name, messages = before.messages, orchestrations = before.orchestrations } = changes;
      return toStored(name, { messages, orchestrations });
    },
  },
  delete: { operationId: "deleteProgram", summary: "Deletes a program. The numbers of its messages stay." },
});

export function programRoutes(ports: ResourcePorts & Pick<RoutePorts, "clickHouse" | "freshness">): Route[] {
  return [...plainRoutes(ports), getProgramsummary(ports), listProgramstats(ports)];
}
