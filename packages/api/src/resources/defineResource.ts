import { isDeepStrictEqual } from "node:util";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { ResourceRow, ResourceTable } from "@headwater/postgres/connection/resourceTable";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { successExample, successShape } from "../answers/success.ts";
import { waitForAfter } from "../consistency/after.ts";
import { type OnceCall, runOnce } from "../idempotency/runOnce.ts";
import { pageOf } from "../paging/answerSchema.ts";
import { readCounted } from "../paging/counted.ts";
import { listAnswer, pickFields } from "../paging/listAnswer.ts";
import { cutPage, readPage } from "../paging/page.ts";
import { afterQuery, type ListQuery, listQuery, storableText } from "../paging/query.ts";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { contentVersion, etagOf, expectVersion } from "../writing/ifMatch.ts";
import { defineWriteRoute } from "../writing/writeRoute.ts";

type Description = Pick<Route, "operationId" | "summary" | "description">;

/** A plain resource of an account: rows of one table, read and written as they are. */
export interface ResourceDefinition<Key extends string, Members extends object, New, Changes> {
  /** Name in paths, scopes and tags: `programs`. */
  readonly resource: string;
  /** Name of one in descriptions and errors: `program`. */
  readonly noun: string;
  readonly table: ResourceTable<Key, Members>;
  /** Record as reads answer it; `fields` selects among its members. */
  readonly shape: z.ZodObject;
  readonly example: Readonly<Record<Key, string>> & Readonly<Record<string, unknown>>;
  toRecord(row: ResourceRow<Key, Members>): Record<string, unknown>;
  /** Returns what the ETag is a hash of. */
  versioned(members: Members): unknown;
  readonly list: Description & {
    /** Stored members by the values of `sort_by`, the default first. Rows that have one in common follow their keys. */
    readonly sorts: Readonly<Record<string, string>>;
  };
  readonly get: Description;
  readonly create: Description & {
    readonly body: z.ZodType<New>;
    readonly requestExample: object;
    /** Returns the key of a new record: its own, or one that the body chooses. */
    keyOf(body: New): string;
    /** Returns what is stored. What it throws is the answer, such as a 422 `VALIDATION_ERROR`. */
    toMembers(body: New): Members;
  };
  readonly update: Description & {
    readonly body: z.ZodType<Changes>;
    readonly requestExample: object;
    /** Returns what is stored from now on. What it throws is the answer. */
    toMembers(changes: Changes, stored: ResourceRow<Key, Members>): Members;
  };
  readonly delete: Description;
}

export type ResourcePorts = AfterPorts & Pick<RoutePorts, "cursors" | "postgres">;
export type ResourceRoutes = (ports: ResourcePorts) => Route[];

/**
 * Defines the five routes of a plain resource: a paged list with `sort_by` and `fields`, one record with its `ETag`, and writes that take an
 * `Idempotency-Key` and `If-Match` and leave an entry in the account's log.
 * @returns the routes over their ports, as the service mounts them.
 */
export function defineResource<Key extends string, Members extends object, New, Changes>(
  definition: ResourceDefinition<Key, Members, New, Changes>,
): ResourceRoutes {
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
  "resource" | "noun" | "table" | "shape" | "example" | "toRecord" | "versioned"
>;

const PAGE_EXAMPLE = { per_page: 25, page: 1, next_cursor: null };
const KEY_CHARACTERS_MAX = 1_024;

function listRoute<Key extends string, Members extends object>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, never, never>, "list">,
  ports: ResourcePorts,
): Route {
  const { resource, table, shape, example, toRecord } = definition;
  const { sorts, ...description } = definition.list;
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
    const { rows, total } = await readCounted(postgres, query, {
      page: (session) => table.page(session, { account, order, direction, last, skip, rowsMax: perPage + 1 }),
      count: (session) => table.count(session, account),
    });
    const positionAt = (row: object) => Object.fromEntries(inCursors.map((name) => [name, Reflect.get(row, name)]));
    const cut = cutPage(rows, page, positionAt);
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
    query: z.strictObject({ ...listQuery, sort_by: z.enum(names).optional() }),
    handler: async ({ query, caller, signal }) => {
      await waitForAfter({ token: query.after, caller, store: "state", signal }, ports);
      return list(query, caller.account.number);
    },
  });
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

function createRoute<Key extends string, Members extends object, New>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, New, never>, "create">,
  ports: ResourcePorts,
): Route {
  const { resource, noun, table, versioned } = definition;
  const { keyOf, toMembers, ...description } = definition.create;
  return defineWriteRoute<unknown, unknown, New>({
    ...description,
    method: "POST",
    path: `/v2/${resource}`,
    tags: [resource],
    answers: { 201: { description: `The ${noun} was created.`, ...writtenAnswer(definition) } },
    scope: `${resource}:write`,
    target: table.key,
    handler: ({ body, once }) => {
      const members = toMembers(body);
      const name = { account: once.caller.account.number, key: keyOf(body) };
      return write(once, ports, async (transaction) => {
        const isNew = await table.insert(transaction, name, members, ports.clock.nowMs());
        if (!isNew) throw keyTaken(definition, name.key);
        return { status: 201, body: { success: true, [table.key]: name.key }, versioned: versioned(members) };
      });
    },
  });
}

/** A change that changes nothing is not written: the row keeps the time of its last update. */
function updateRoute<Key extends string, Members extends object, Changes>(
  definition: Resource<Key, Members> & Pick<ResourceDefinition<Key, Members, never, Changes>, "update">,
  ports: ResourcePorts,
): Route {
  const { noun, table, toRecord, versioned } = definition;
  const { toMembers, ...description } = definition.update;
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
    handler: ({ params, body, once, header }) => {
      const name = { account: once.caller.account.number, key: keyIn(params, table) };
      return write(once, ports, async (transaction) => {
        const stored = await lock(transaction, definition, name, header("if-match"));
        const members = toMembers(body, stored);
        if (!holds(stored, members)) await table.update(transaction, name, members, ports.clock.nowMs());
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
  return defineWriteRoute<Params>({
    ...definition.delete,
    ...oneOf(definition, "DELETE"),
    answers: {
      200: { description: `The ${noun} is deleted.`, schema: successShape, example: successExample },
      ...unknownAnswer(definition),
    },
    scope: `${definition.resource}:write`,
    target: table.key,
    ifMatch: true,
    handler: ({ params, once, header }) => {
      const name = { account: once.caller.account.number, key: keyIn(params, table) };
      return write(once, ports, async (transaction) => {
        await lock(transaction, definition, name, header("if-match"));
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
  name: { readonly account: number; readonly key: string },
  ifMatch: string | undefined,
): Promise<ResourceRow<Key, Members>> {
  const stored = await definition.table.lock(transaction, name);
  if (stored === undefined) throw unknown(definition);
  expectVersion(ifMatch, contentVersion(definition.versioned(stored)));
  return stored;
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
  const message = `A ${noun} with the ${key} ${JSON.stringify(taken)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: `/${key}`, code: "bad_value", message }] });
}

function writtenAnswer({ table: { key }, example }: Named & Pick<Resource<string, never>, "example">) {
  const schema = successShape.extend({ [key]: z.string() });
  return { schema, example: { success: true, [key]: example[key] } };
}
