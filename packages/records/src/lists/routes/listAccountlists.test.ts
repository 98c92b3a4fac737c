import { pickFields } from "@headwater/api/paging/listAnswer";
import { expect, test } from "vitest";
import { LIST_MEMBERS, query } from "./listAccountlists.ts";

test("fields keeps the members it names", () => {
  const list = { id: 1, name: "vip", enhanced: false };
  expect(pickFields(undefined, LIST_MEMBERS)(list)).toEqual(list);
  expect(pickFields("name, id", LIST_MEMBERS)(list)).toEqual({ id: 1, name: "vip" });
  expect(() => pickFields("name,colour", LIST_MEMBERS)).toThrow(/fields/);
});

test("lists are sorted by id or name", () => {
  expect(query.safeParse({ sort_by: "id", sort_dir: "desc" }).success).toBe(true);
  expect(query.safeParse({ sort_by: "name" }).success).toBe(true);
  expect(query.safeParse({ sort_by: "enhanced" }).success).toBe(false);
});
