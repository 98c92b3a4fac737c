import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import { z } from "zod";
import { waitForAfter } from "../consistency/after.ts";
import { pageOf } from "../paging/answerSchema.ts";
import { readCounted } from "../paging/counted.ts";
import { listAnswer, namesAny, pickFields } from "../paging/listAnswer.ts";
import { cutBoundedPage, readPage } from "../paging/page.ts";
import { expectWholePage } from "../paging/pageBytes.ts";
import { bound, type ListQuery, listQuery, storableText } from "../paging/query.ts";
import { readTimeRange } from "../paging/timeRange.ts";
import type { Part, Resource, ResourcePorts } from "./resourceDefinition.ts";

const PAGE_EXAMPLE = { per_page: 25, page: 1, next_cursor: null };
/** A text of a row: keys, names. */
const TEXT_CHARACTERS_MAX = 1_024;
/** A name alone stands for a day, or for an instant. */
const RANGE_SUFFIXES = ["", "[gt]", "[gte]", "[lt]", "[lte]"] as const;
const positionShape = z.union([z.number(), storableText(TEXT_CHARACTERS_MAX)]);

/** Defines the route that lists the records of a resource. */
export function listRoute<Row extends object, Members extends object, Ports extends ResourcePorts>(
  definition: Resource<Row, Members, Ports>,
  { computed = {}, ...part }: Part<"list", Row, Members, unknown, Ports> & { readonly computed?: object | undefined },
  ports: Ports,
): Route {
  const { resource, shape, example, store = "state" } = definition;
  const { sorts, filters = {}, ranges = {}, counted, largeBytesMax: _, ...description } = part;
  const listed = shape.extend(z.object(counted?.members ?? {}).partial().shape);
  const members = Object.keys(listed.shape).filter((name) => !Object.hasOwn(computed, name));
  return defineRoute({
    ...description,
    method: "GET",
    path: `/v2/${resource}`,
    tags: [resource],
    answers: {
      200: {
        description: `A page of ${resource}.`,
        schema: pageOf(listed.partial()),
        example: { data: [example], pagination: PAGE_EXAMPLE },
      },
    },
    auth: "basic",
    scope: `${resource}:read`,
    rateClass: "read",
    query: z.strictObject({
      ...listQuery,
      sort_by: z.enum(Object.keys(sorts)).optional(),
      ...z.object(filters).partial().shape,
      ...Object.fromEntries(
        Object.keys(ranges).flatMap((name) => RANGE_SUFFIXES.map((suffix) => [name + suffix, bound])),
      ),
    }),
    handler: async ({ query, caller, signal }) => {
      await waitForAfter({ token: query.after, caller, store, signal }, ports);
      return list(query, caller.account, { definition, part, members, ports });
    },
  });
}

interface Listing<Row extends object, Members extends object, Ports extends ResourcePorts> {
  readonly definition: Resource<Row, Members, Ports>;
  readonly part: Part<"list", Row, Members, unknown, Ports>;
  /** Names that `fields` may have. */
  readonly members: readonly string[];
  readonly ports: Ports;
}

/** Throws 400 for unknown names in `fields` and a cursor of another list, 422 for pages that are too large or too far. */
async function list<Row extends object, Members extends object, Ports extends ResourcePorts>(
  query: ListQuery,
  owner: Account,
  { definition, part, members, ports }: Listing<Row, Members, Ports>,
): Promise<Answer> {
  const { resource, table, toRecord, load } = definition;
  const { number: account } = owner;
  const { sorts, filters = {}, ranges = {}, largeBytesMax = 0, counted } = part;
  const { fields } = query;
  const { large = "" } = table;
  const sort = sorts[query.sort_by ?? Object.keys(sorts)[0] ?? ""] ?? table.key;
  const order = [...new Set([sort, table.key])];
  const position = z.object(Object.fromEntries(order.map((member) => [member, positionShape])));
  const rules = { list: `${resource} by ${sort}`, key: position, direction: "asc", account } as const;
  const page = readPage<Record<string, string | number>>(query, { ...rules, cursors: ports.cursors });
  const pick = pickFields(fields, members);
  const { after, direction, skip, perPage } = page;
  const ownCounts = Object.keys(counted?.members ?? {});
  const isCounted = counted !== undefined && fields !== undefined && namesAny(fields, ownCounts);
  if (isCounted && perPage > counted.perPageMax) throw tooManyCounts(counted.perPageMax, ownCounts);
  // A large text that is not a member itself is what the members are made of.
  const isLarge = !members.includes(large) || fields === undefined || namesAny(fields, [large]);
  const last = after && order.map((member) => after[member] ?? "");
  const { timezone } = owner.settings;
  const wanted = {
    account,
    equal: equalIn(query, Object.keys(filters), table.lists),
    ranges: Object.entries(ranges).map(([name, member]) => ({
      member,
      ...readTimeRange({ ...query }, name, timezone),
    })),
  };
  const limits = { skip, rowsMax: perPage + 1, largeBytesMax: isLarge ? largeBytesMax : 0 };
  const { rows: found, total } = await readCounted(ports.postgres, query, {
    async page(session) {
      const bounded = await table.page(session, { ...wanted, order, direction, last, ...limits });
      const counts = isCounted ? await counted.read(session, account, bounded.rows) : [];
      return { ...bounded, rows: bounded.rows.map((row, index) => ({ row, counts: counts[index] })) };
    },
    count: (session) => table.count(session, wanted),
    needsSnapshot: isCounted,
  });
  expectWholePage(query, found, perPage, { bytesMax: largeBytesMax, member: members.find((one) => one === large) });
  const positionAt = ({ row }: { readonly row: object }) =>
    Object.fromEntries(order.map((name) => [name, Reflect.get(row, name)]));
  const { rows: cut, nextCursor } = cutBoundedPage(found, page, positionAt);
  const viewing = { account: owner, session: ports.postgres, ports };
  const stored = cut.map(({ row }) => row);
  const loaded = (await load?.(stored, viewing)) ?? stored;
  const read = loaded.map((row, index) => ({ row, counts: cut[index]?.counts }));
  const records = mapInSteps(read, ({ row, counts }) => pick({ ...toRecord(row, viewing), ...counts }));
  const rows = await runInSlices(records);
  return listAnswer({ path: `/v2/${resource}`, query, page, listed: { rows, nextCursor }, total });
}

function equalIn(query: object, names: readonly string[], lists: ReadonlySet<string> | undefined) {
  const input = names.map((name): [string, unknown] => [name, Reflect.get(query, name)]);
  const texts = input.filter((one): one is [string, string] => typeof one[1] === "string");
  const toFilter = (name: string, text: string) => (lists?.has(name) ? text.split(",").map((one) => one.trim()) : text);
  return Object.fromEntries(texts.map(([name, text]) => [name, toFilter(name, text)]));
}

function tooManyCounts(max: number, counts: readonly string[]) {
  const message = `\`per_page\` is at most ${max} where \`fields\` names \`${counts.join("`, `")}\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/per_page", code: "out_of_range", message }] });
}
