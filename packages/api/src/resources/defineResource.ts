import { isDeepStrictEqual } from "node:util";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { ResourceRow, RowName } from "@headwater/postgres/connection/resourceTable";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { successExample, successShape } from "../answers/success.ts";
import { waitForAfter } from "../consistency/after.ts";
import { type OnceCall, runOnce } from "../idempotency/runOnce.ts";
import { pageOf } from "../paging/answerSchema.ts";
import { readCounted } from "../paging/counted.ts";
import { listAnswer, pickFields } from "../paging/listAnswer.ts";
import { cutBoundedPage, readPage } from "../paging/page.ts";
import { afterQuery, type ListQuery, listQuery, storableText } from "../paging/query.ts";
import { contentVersion, etagOf, expectVersion } from "../writing/ifMatch.ts";
import { defineWriteRoute } from "../writing/writeRoute.ts";
import type { InUse, ResourceDefinition, ResourcePorts, ResourceRoutes } from "./resourceDefinition.ts";

/**
 * Defines the five routes of a plain resource: a paged list with `sort_by` and `fields`, one record with its `ETag`, and writes that take an
 * `Idempotency-Key` and `If-Match` and leave an entry in the account's log.
 * @returns the routes over their ports, as the service mounts them.
 */
export function defineResource<
  Key extends string,
  Members extends object,
  New,
  Changes,
  Ports extends ResourcePorts = ResourcePorts,
>(definition: ResourceDefinition<Key, Members, New, Changes, Ports>): ResourceRoutes<Ports> {
  return (ports) => [
    listRoute(definition, ports),
    createRoute(definition, ports),
    getRoute(definition, ports),
    updateRoute(definition, ports),
    deleteRoute(definition, ports),
  ];
}

type Resource<Key extends string, Members extends object> = Pick<
  ResourceDefinition<Key, Members, never, never>,
  "resource" | "noun" | "table" | "shape" | "example" | "toRecord" | "versioned" | "bodyBytesMax"
>;

const PAGE_EXAMPLE = { per_page: 25, page: 1, next_cursor: null };
const KEY_CHARACTERS_MAX = 1_024;

function listRoute<Key extends string, Members extends object>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, never, never>, "list">,
  ports: ResourcePorts,
): Route {
  const { resource, table, shape, example, toRecord } = definition;
  const { sorts, filters = {}, largeBytesMax = 0, ...description } = definition.list;
  const { postgres, cursors } = ports;
  const names = Object.keys(sorts);
  const members = Object.keys(shape.shape);
  const inCursors = [...new Set([...Object.values(sorts), table.key])];

  /** Throws 400 for unknown names in `fields` and a cursor of another list, 422 for pages that are too large or too far. */
  async function list(query: ListQuery, account: number): Promise<Answer> {
    const sort = sorts[query.sort_by ?? names[0] ?? ""] ?? table.key;
    const order = [...new Set([sort, table.key])];
    const position = z.object(Object.fromEntries(order.map((member) => [member, positionOf(member)])));
    const rules = { list: `${resource} by ${sort}`, key: position, direction: "asc", account, cursors } as const;
    const page = readPage<Record<string, string | number>>(query, rules);
    const pick = pickFields(query.fields, members);
    const { after, direction, skip, perPage } = page;
    const last = after && order.map((member) => after[member] ?? "");
    const wanted = { account, equal: equalIn(query, Object.keys(filters)) };
    const isLarge = table.large !== undefined && Object.hasOwn(pick({ [table.large]: "" }), table.large);
    const limits = { skip, rowsMax: perPage + 1, largeBytesMax: isLarge ? largeBytesMax : 0 };
    const { rows: found, total } = await readCounted(postgres, query, {
      page: (session) => table.page(session, { ...wanted, order, direction, last, ...limits }),
      count: (session) => table.count(session, wanted),
    });
    if (found.isCut && found.rows.length < perPage && query.page !== undefined) throw tooLarge(table, largeBytesMax);
    const positionAt = (row: object) => Object.fromEntries(inCursors.map((name) => [name, Reflect.get(row, name)]));
    const cut = cutBoundedPage(found, page, positionAt);
    const listed = { rows: cut.rows.map((row) => pick(toRecord(row))), nextCursor: cut.nextCursor };
    return listAnswer({ path: `/v2/${resource}`, query, page, listed, total });
  }

  return defineRoute({
    ...description,
    method: "GET",
    path: `/v2/${resource}`,
    tags: [resource],
    answers: {
      200: {
        description: `A page of ${resource}.`,
        schema: pageOf(shape.partial()),
        example: { data: [example], pagination: PAGE_EXAMPLE },
      },
    },
    auth: "basic",
    scope: `${resource}:read`,
    rateClass: "read",
    query: z.strictObject({ ...listQuery, sort_by: z.enum(names).optional(), ...z.object(filters).partial().shape }),
    handler: async ({ query, caller, signal }) => {
      await waitForAfter({ token: query.after, caller, store: "state", signal }, ports);
      return list(query, caller.account.number);
    },
  });
}

function equalIn(query: object, names: readonly string[]): Readonly<Record<string, string>> {
  const given = names.map((name): [string, unknown] => [name, Reflect.get(query, name)]);
  return Object.fromEntries(given.filter((one): one is [string, string] => typeof one[1] === "string"));
}

function tooLarge({ large }: { readonly large: string | undefined }, bytesMax: number) {
  const message = `A page holds at most ${bytesMax} bytes of ${large}. Continue with the cursor, or leave out \`${large}\` with \`fields\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}

/** Returns the shape of a member in a cursor. */
function positionOf(member: string): z.ZodType<string | number> {
  return member === "createdAt" ? z.number().int() : storableText(KEY_CHARACTERS_MAX);
}

function getRoute<Key extends string, Members extends object>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, never, never>, "get">,
  ports: ResourcePorts,
): Route {
  const { noun, table, shape, example, toRecord, versioned } = definition;
  const members = Object.keys(shape.shape);
  return defineRoute({
    ...definition.get,
    ...oneOf(definition, "GET"),
    answers: {
      200: { description: `The ${noun}.`, schema: shape.partial(), example },
      ...unknownAnswer(definition),
    },
    auth: "basic",
    scope: `${definition.resource}:read`,
    rateClass: "read",
    query: z.strictObject({ ...afterQuery, fields: listQuery.fields }),
    handler: async ({ params, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const pick = pickFields(fields, members);
      const row = await table.read(ports.postgres, { account: caller.account.number, key: keyIn(params, table) });
      if (row === undefined) throw unknown(definition);
      return { status: 200, body: pick(toRecord(row)), headers: etag(versioned(row)) };
    },
  });
}

function createRoute<Key extends string, Members extends object, New, Ports extends ResourcePorts>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, New, never, Ports>, "create">,
  ports: Ports,
): Route {
  const { resource, noun, table, versioned } = definition;
  const { keyOf, toMembers, check, ...description } = definition.create;
  return defineWriteRoute<unknown, unknown, New>({
    ...description,
    method: "POST",
    path: `/v2/${resource}`,
    tags: [resource],
    answers: { 201: { description: `The ${noun} was created.`, ...writtenAnswer(definition) } },
    scope: `${resource}:write`,
    target: table.key,
    ...bounded(definition),
    handler: async ({ body, once }) => {
      const members = toMembers(body);
      const name = { account: once.caller.account.number, key: keyOf(body) };
      const checked = await check?.(body, { ...name, ports });
      return write(once, ports, async (transaction) => {
        const isNew = await table.insert(transaction, name, members, ports.clock.nowMs());
        if (!isNew) throw keyTaken(definition, name.key);
        await checked?.complete(transaction);
        return { status: 201, body: { success: true, [table.key]: name.key }, versioned: versioned(members) };
      });
    },
  });
}

/** A change that changes nothing is not written: the row keeps the time of its last update. */
function updateRoute<Key extends string, Members extends object, Changes, Ports extends ResourcePorts>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, never, Changes, Ports>, "update">,
  ports: Ports,
): Route {
  const { noun, table, toRecord, versioned } = definition;
  const { toMembers, check, ...description } = definition.update;
  return defineWriteRoute<Params, unknown, Changes>({
    ...description,
    ...oneOf(definition, "PUT"),
    answers: {
      200: { description: `The updated ${noun}.`, ...writtenAnswer(definition) },
      ...unknownAnswer(definition),
    },
    scope: `${definition.resource}:write`,
    target: table.key,
    ifMatch: true,
    returnsStored: true,
    ...bounded(definition),
    handler: async ({ params, body, once, header }) => {
      const name = { account: once.caller.account.number, key: keyIn(params, table) };
      expectKey(body, name.key, table);
      const checked = await check?.(body, { ...name, ports });
      return write(once, ports, async (transaction) => {
        const stored = await lock(transaction, definition, name, header("if-match"));
        const members = toMembers(body, stored);
        if (!holds(stored, members)) await table.update(transaction, name, members, ports.clock.nowMs());
        await checked?.complete(transaction);
        return {
          status: 200,
          body: { success: true, [table.key]: name.key },
          versioned: versioned(members),
          stored: toRecord(stored),
        };
      });
    },
  });
}

function deleteRoute<Key extends string, Members extends object>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, never, never>, "delete">,
  ports: ResourcePorts,
): Route {
  const { noun, table } = definition;
  const { inUse, release, ...description } = definition.delete;
  return defineWriteRoute<Params>({
    ...description,
    ...oneOf(definition, "DELETE"),
    answers: {
      200: { description: `The ${noun} is deleted.`, schema: successShape, example: successExample },
      ...unknownAnswer(definition),
      ...(inUse && { 422: { description: `${inUse.code} or IDEMPOTENCY_KEY_REUSED` } }),
    },
    scope: `${definition.resource}:write`,
    target: table.key,
    ifMatch: true,
    handler: ({ params, once, header }) => {
      const name = { account: once.caller.account.number, key: keyIn(params, table) };
      return write(once, ports, async (transaction) => {
        await lock(transaction, definition, name, header("if-match"));
        await expectUnused(transaction, inUse, name);
        await release?.(transaction, name);
        await table.delete(transaction, name);
        return { status: 200, body: { success: true } };
      });
    },
  });
}

interface Outcome {
  readonly status: number;
  /** Answer of the first call and of its repeats. */
  readonly body: object;
  /** Content of the ETag; absent for what is gone. */
  readonly versioned?: unknown;
  /** Record before the write, as a GET shows it. */
  readonly stored?: unknown;
}

/** Runs a write once for its `Idempotency-Key`. Every write of every resource passes here. */
function write(
  once: OnceCall,
  { postgres }: Pick<ResourcePorts, "postgres">,
  run: (transaction: Transaction) => Promise<Outcome>,
): Promise<Answer> {
  return runOnce(postgres, once, async (transaction) => {
    const { status, body, versioned, stored } = await run(transaction);
    const answer = { status, body, ...(versioned !== undefined && { headers: etag(versioned) }) };
    return { answer, kept: body, stored };
  });
}

/** Locks a row that is written. Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
async function lock<Key extends string, Members extends object>(
  transaction: Transaction,
  definition: Resource<Key, Members>,
  name: RowName,
  ifMatch: string | undefined,
): Promise<ResourceRow<Key, Members>> {
  const stored = await definition.table.lock(transaction, name);
  if (stored === undefined) throw unknown(definition);
  expectVersion(ifMatch, contentVersion(definition.versioned(stored)));
  return stored;
}

/** Throws the refusal with all users that are named. */
async function expectUnused(transaction: Transaction, inUse: InUse | undefined, name: RowName): Promise<void> {
  const users = (await inUse?.users(transaction, name)) ?? [];
  if (inUse === undefined || users.length === 0) return;
  const details = users.map((message) => ({ path: "", code: "not_allowed", message }));
  throw refusal(inUse.code, inUse.message, { details });
}

/** Throws 422 `VALIDATION_ERROR` for a body with another key than that of the path. */
function expectKey(body: unknown, stored: string, { key }: Named["table"]): void {
  const given: unknown = Reflect.get(Object(body), key);
  if (given === undefined || given === stored) return;
  const message = `\`${key}\` cannot be changed.`;
  throw refusal("VALIDATION_ERROR", message, { details: [{ path: `/${key}`, code: "not_allowed", message }] });
}

function bounded({ bodyBytesMax }: Pick<Resource<string, never>, "bodyBytesMax">) {
  return bodyBytesMax === undefined ? {} : { bodyBytesMax };
}

function holds(stored: object, members: object): boolean {
  return Object.entries(members).every(([name, value]) => isDeepStrictEqual(Reflect.get(stored, name), value));
}

function etag(versioned: unknown) {
  return { ETag: etagOf(contentVersion(versioned)) };
}

type Params = Readonly<Record<string, string>>;
type Named = Pick<Resource<string, never>, "resource" | "noun"> & { readonly table: { readonly key: string } };

/** Parts that the routes of one record share. */
function oneOf<Method extends Route["method"]>({ resource, table: { key } }: Named, method: Method) {
  const params: z.ZodType<Params> = z.strictObject({ [key]: storableText(KEY_CHARACTERS_MAX) });
  return { method, path: `/v2/${resource}/{${key}}`, tags: [resource], params };
}

function keyIn(params: Params, { key }: Named["table"]): string {
  const value = params[key];
  if (value === undefined) throw new Error(`the path has no ${key}`);
  return value;
}

function unknownAnswer({ noun, table: { key } }: Named) {
  return { 404: { description: `RECORD_NOT_FOUND: no ${noun} has this ${key}.` } };
}

function unknown({ noun, table: { key } }: Named) {
  return refusal("RECORD_NOT_FOUND", `No ${noun} has this ${key}.`);
}

function keyTaken({ noun, table: { key } }: Named, taken: string) {
  const message = `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun} with the ${key} ${JSON.stringify(taken)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: `/${key}`, code: "bad_value", message }] });
}

function writtenAnswer({ table: { key }, example }: Named & Pick<Resource<string, never>, "example">) {
  const schema = successShape.extend({ [key]: z.string() });
  return { schema, example: { success: true, [key]: example[key] } };
}
