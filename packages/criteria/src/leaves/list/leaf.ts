import { z } from "zod";
import { name, window } from "../../grammar/parts.ts";
import type { LeafDefinition } from "../leaf.ts";
import { selectMembers } from "./compile.ts";
import type { ListLeaf } from "./list.ts";
import { parseList } from "./parse.ts";
import { listTrend } from "./trend.ts";

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
