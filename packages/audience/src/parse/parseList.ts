import type { ListLeaf, ListReference } from "../criteria.ts";
import type { Parse } from "./context.ts";
import { nearestNames } from "./nearest.ts";
import { checkMembers, type JsonObject, pointer, shown } from "./problems.ts";
import { parseWindow } from "./windows.ts";

/** `{"list": name or id, "op": "in" | "notIn", "joined": Window?}`; names are found without their case. */
export function parseList(input: JsonObject, path: string, parse: Parse): ListLeaf | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["list", "op", "joined"]);
  const op = input.op;
  if (op !== "in" && op !== "notIn") {
    const code = typeof op === "string" ? "unknown_operator" : "bad_value";
    problems.add(code, pointer(path, "op"), "a list takes in or notIn", ["in", "notIn"]);
  }
  const list = findList(input.list, pointer(path, "list"), parse);
  const joined = input.joined === undefined ? undefined : parseWindow(input.joined, pointer(path, "joined"), parse);
  return list && { kind: "list", path, list, member: op === "in", ...(joined && { joined }) };
}

function findList(reference: unknown, at: string, { problems, context }: Parse): ListReference | undefined {
  if (typeof reference !== "string" && typeof reference !== "number") {
    return problems.add("type_mismatch", at, "a list is named by its name or id");
  }
  const lists = context.lists;
  const found =
    typeof reference === "number"
      ? lists.find((list) => list.id === reference)
      : lists.find((list) => list.name.toLowerCase() === reference.toLowerCase());
  if (found !== undefined) return found;
  const nearest = nearestNames(
    String(reference),
    lists.map((list) => list.name),
  );
  return problems.add("unknown_reference", at, `there is no list "${shown(String(reference))}"`, nearest);
}
