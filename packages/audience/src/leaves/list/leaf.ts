import { z } from "zod";
import { listLeaf as selectMembers } from "../../compile/listLeaf.ts";
import { name, window } from "../../grammar/parts.ts";
import { parseList } from "../../parse/parseList.ts";
import { listTrend } from "../../trend/listTrend.ts";
import type { LeafDefinition } from "../leaf.ts";
import type { ListLeaf } from "./list.ts";

/** Members of a list, or all but them. */
export const listLeaf: LeafDefinition<ListLeaf> = {
  kind: "list",
  forms: [
    {
      list: z.union([name, z.int().min(1)]).describe("Name or id."),
      op: z.enum(["in", "notIn"]),
      joined: window.optional(),
    },
  ],
  examples: [
    { list: "vip", op: "in", joined: { last: { n: 7, unit: "day" } } },
    { list: 7, op: "notIn" },
  ],
  parse: parseList,
  select: selectMembers,
  trend: listTrend,
  isMember: ({ member }) => member,
};
