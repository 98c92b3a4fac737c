import { COMPLETE_LIST } from "../dataset/lists.ts";
import type { HttpApi } from "../httpApi.ts";
import { countOfList, findList } from "../questions/lists.ts";

/** Returns whether an earlier run came to its end: then the last list holds every customer. */
export async function isLoaded(api: Pick<HttpApi, "get">, customers: number): Promise<boolean> {
  const list = await findList(api, COMPLETE_LIST);
  return list !== undefined && (await countOfList(api, list.id)) >= customers;
}
