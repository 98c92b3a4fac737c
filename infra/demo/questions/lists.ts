import { z } from "zod";
import type { HttpApi } from "../httpApi.ts";

const list = z.object({ id: z.number(), name: z.string() });
const page = z.object({ data: z.array(list) });
const counted = z.object({ count: z.number() });

export type List = z.output<typeof list>;

export async function findList(api: Pick<HttpApi, "get">, name: string): Promise<List | undefined> {
  const { data } = page.parse(await api.get(`/v2/accountlists?name=${encodeURIComponent(name)}`));
  return data[0];
}

/** The first 500 lists. */
export async function allLists(api: Pick<HttpApi, "get">): Promise<readonly List[]> {
  return page.parse(await api.get("/v2/accountlists?per_page=500")).data;
}

export async function countOfList(api: Pick<HttpApi, "get">, id: number): Promise<number> {
  return counted.parse(await api.get(`/v2/accountlists/${id}/count`)).count;
}
