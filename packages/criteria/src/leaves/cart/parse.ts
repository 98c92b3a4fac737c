import { listedWord } from "@headwater/kernel";
import { parseProperties } from "../../parse/parseProperties.ts";
import type { Parse } from "../../parse/parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "../../parse/problems.ts";
import { parseWindow } from "../../parse/windows.ts";
import type { CartLeaf } from "./cart.ts";
import { cartOwner, lineOwner } from "./fields.ts";

/** `{"cart": "nonEmpty" | "empty" | {"items": […]}, "where"?, "within"?}`. */
export function parseCart(input: JsonObject, path: string, parse: Parse): CartLeaf | undefined {
  const { problems } = parse;
  const cart = listedWord(["nonEmpty", "empty"], input.cart) ?? input.cart;
  checkMembers(problems, input, path, ["cart", "where", "within"]);
  if (cart === "empty") return parseEmpty(input, path, parse);
  const items = parseLines(cart, pointer(path, "cart"), parse);
  const where = parseProperties(input.where, pointer(path, "where"), cartOwner, parse);
  const within = input.within === undefined ? undefined : parseWindow(input.within, pointer(path, "within"), parse);
  return items && { kind: "cart", path, state: "nonEmpty", where, items, ...(within && { within }) };
}

/** Parses `empty`, which takes no conditions: a contact without a cart has no members, no lines and no last change. */
function parseEmpty(input: JsonObject, path: string, { problems }: Parse): CartLeaf {
  for (const member of ["where", "within"]) {
    if (input[member] === undefined) continue;
    problems.add("bad_value", pointer(path, member), `"empty" takes neither where nor within`);
  }
  return { kind: "cart", path, state: "empty", where: [], items: [] };
}

function parseLines(cart: unknown, at: string, parse: Parse): CartLeaf["items"] | undefined {
  if (cart === "nonEmpty") return [];
  const { problems } = parse;
  if (!isJsonObject(cart)) return problems.add("bad_value", at, "this is no cart", ["nonEmpty", "empty", "items"]);
  checkMembers(problems, cart, at, ["items"]);
  if (cart.items === undefined)
    return problems.add("bad_value", pointer(at, "items"), "conditions on a line are needed");
  return parseProperties(cart.items, pointer(at, "items"), lineOwner, parse);
}
