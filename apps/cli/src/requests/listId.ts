import { HeadwaterError } from "@headwater/kernel";
import type { IdOf } from "./apiLeaf.ts";
import { isMembers } from "./readInput.ts";

/** Returns whether a list is named by its id: digits alone are taken for one. */
export function isListId(typed: string): boolean {
  return /^[1-9]\d{0,8}$/.test(typed);
}

/** A list is named by its id, or by its name whatever its case. */
export const listId: IdOf = {
  isId: isListId,
  async find(service, name) {
    const { body } = await service.call("listAccountlists", { query: { name, fields: "id" } });
    const [found] = isMembers(body) && Array.isArray(body.data) ? body.data.filter(isMembers) : [];
    if (typeof found?.id === "number") return String(found.id);
    throw new HeadwaterError({ code: "RECORD_NOT_FOUND", status: 404, publicMessage: `No list has the name ${name}.` });
  },
};
