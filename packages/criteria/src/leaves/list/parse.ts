import { listedWord } from "@headwater/kernel";
import { operatorCode } from "../../parse/comparisons.ts";
import type { Parse } from "../../parse/parserRun.ts";
import { checkMembers, type JsonObject, pointer, type Suggestion, shown } from "../../parse/problems.ts";
import { parseWindow } from "../../parse/windows.ts";
import type { ListLeaf, ListReference } from "./list.ts";
import { createListNames, type ListNames, listIdOf } from "./listNames.ts";

/** `{"list": name or id, "op": "in" | "notIn", "joined": Window?}`; names are found without their case. */
export function parseList(input: JsonObject, path: string, parse: Parse): ListLeaf | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["list", "op", "joined"]);
  const op = listedWord(["in", "notIn"], input.op);
  if (op === undefined) {
    problems.add(operatorCode(input.op), pointer(path, "op"), "the operator of a list must be in or notIn", [
      "in",
      "notIn",
    ]);
  }
  const list = findList(input.list, pointer(path, "list"), parse);
  const joined = input.joined === undefined ? undefined : parseWindow(input.joined, pointer(path, "joined"), parse);
  return list && { kind: "list", path, list, member: op === "in", ...(joined && { joined }) };
}

function findList(reference: unknown, at: string, parse: Parse): ListReference | undefined {
  const { problems } = parse;
  if (typeof reference !== "string" && typeof reference !== "number") {
    return problems.add("type_mismatch", at, "a list must be a name or an id");
  }
  const found = listNames(parse).find(reference);
  if (found !== undefined) return found;
  const gone = parse.context.goneLists?.get(listIdOf(reference) ?? Number.NaN);
  const name = gone ?? String(reference);
  const message = `list "${shown(name)}" does not exist${gone === undefined ? "" : " any more"}`;
  const suggest: Suggestion = ({ lists }, among) => among("list", () => lists.map((list) => list.name))(name);
  return problems.addUnknown({ code: "unknown_reference", path: at, name, message, suggest });
}

/** Made once for a run of the parser: an account may have very many lists, and a criteria name many of them. */
function listNames({ context: { lists }, seen }: Parse): ListNames {
  seen.lists ??= createListNames(lists);
  return seen.lists;
}
