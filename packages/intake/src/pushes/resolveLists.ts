import type { Account } from "@headwater/contracts";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { ItemPart, Part, PartnerList, RefusedPart } from "../partners/push.ts";
import type { FoundList, PartnerLists } from "./partnerLists.ts";

/** Puts the list of ours into every part that is about a partner's list. Each list is looked up once a push. */
export async function resolveLists(
  lists: PartnerLists,
  { endpoint, account }: { readonly endpoint: PartnerEndpoint; readonly account: Account },
  parts: readonly Part[],
): Promise<readonly Part[]> {
  const wanted = new Map<string, PartnerList>();
  for (const part of parts) {
    const list = part.kind === "item" ? part.list : undefined;
    if (list !== undefined && (list.isMade || !wanted.has(list.externalId))) wanted.set(list.externalId, list);
  }
  if (wanted.size === 0) return parts;
  const found = new Map<string, FoundList>();
  for (const list of wanted.values()) {
    found.set(list.externalId, await lists.resolve(account, endpoint.partner, list));
  }
  return parts.map((part) => (part.kind === "item" ? withList(part, found) : part));
}

function withList(part: ItemPart, lists: ReadonlyMap<string, FoundList>): Part {
  const found = part.list === undefined ? undefined : lists.get(part.list.externalId);
  if (found === undefined) return part;
  if (found.kind === "list" && found.isArchived) return notFed(part);
  if ("listId" in part.body) return part;
  const list = found.kind === "list" ? { listId: found.list } : { listName: found.name };
  return { ...part, body: { ...part.body, ...list } };
}

function notFed({ path, body }: ItemPart): RefusedPart {
  const message = "The list is archived and accepts no more members.";
  return { kind: "refused", verdict: "skipped", code: "VALIDATION_ERROR", path, part: body, message };
}
