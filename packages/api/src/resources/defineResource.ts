import { isDeepStrictEqual } from "node:util";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { ResourceTable, RowName } from "@headwater/postgres/connection/resourceTable";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { successExample, successShape } from "../answers/success.ts";
import { waitForAfter } from "../consistency/after.ts";
import { type OnceCall, runOnce } from "../idempotency/runOnce.ts";
import { pickFields } from "../paging/listAnswer.ts";
import { afterQuery, type ListQuery, listQuery, storableText } from "../paging/query.ts";
import { contentVersion, etagOf, expectVersion } from "../writing/ifMatch.ts";
import { defineWriteRoute } from "../writing/writeRoute.ts";
import { listRoute } from "./listRoute.ts";
import type {
  AnswerMembers,
  Checking,
  CreateLimit,
  InUse,
  Part,
  Resource,
  ResourceDefinition,
  ResourcePorts,
  ResourceRoutes,
  Writing,
} from "./resourceDefinition.ts";

/**
 * Defines the routes of a plain resource: a paged list with `sort_by` and `fields`, one record with its `ETag`, and writes that take an
 * `Idempotency-Key` and `If-Match` and leave an entry in the account's log.
 * @returns the routes over their ports, as the service mounts them.
 */
export function defineResource<
  Row extends object,
  Members extends object,
  New,
  Changes,
  Ports extends ResourcePorts = ResourcePorts,
>(definition: ResourceDefinition<Row, Members, New, Changes, Ports>): ResourceRoutes<Ports> {
  const { list, get, create, update, delete: remove } = definition;
  return (ports) => [
    ...(list ? [listRoute(definition, list, ports)] : []),
    ...(create ? [createRoute(definition, create, ports)] : []),
    ...(get ? [getRoute(definition, get, ports)] : []),
    ...(update ? [updateRoute(definition, update, ports)] : []),
    ...(remove ? [deleteRoute(definition, remove, ports)] : []),
  ];
}

const KEY_CHARACTERS_MAX = 1_024;

function getRoute<Row extends object, Members extends object, Ports extends ResourcePorts>(
  resource: Resource<Row, Members, Ports>,
  { fields: hasFields, ...description }: Part<"get", Row, Members, unknown, Ports>,
  ports: Ports,
): Route {
  const { noun, table, shape, example, toRecord, versioned, store = "state" } = resource;
  const members = Object.keys(shape.shape);
  const isWhole = hasFields === false;
  const query: z.ZodType<Pick<ListQuery, "after" | "fields">> = isWhole
    ? z.strictObject(afterQuery)
    : z.strictObject({ ...afterQuery, fields: listQuery.fields });
  return defineRoute({
    ...description,
    ...oneOf(resource, "GET"),
    answers: {
      200: { description: `The ${noun}.`, schema: isWhole ? shape : shape.partial(), example },
      ...unknownAnswer(resource),
    },
    auth: "basic",
    scope: `${resource.resource}:read`,
    rateClass: "read",
    query,
    handler: async ({ params, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store, signal }, ports);
      const pick = pickFields(fields, members);
      const row = await table.read(ports.postgres, { account: caller.account.number, key: keyIn(params, table) });
      if (row === undefined) throw unknown(resource);
      return { status: 200, body: pick(toRecord(row)), headers: etag(versioned(row)) };
    },
  });
}

function createRoute<Row extends object, Members extends object, New, Ports extends ResourcePorts>(
  resource: Resource<Row, Members, Ports>,
  part: Part<"create", Row, Members, New, Ports>,
  ports: Ports,
): Route {
  const { noun, table, versioned } = resource;
  const { keyOf, expectReplaceable, toMembers, check, limit, answer, ...description } = part;
  return defineWriteRoute<unknown, unknown, New>({
    ...description,
    method: "POST",
    path: `/v2/${resource.resource}`,
    tags: [resource.resource],
    answers: { 201: { description: `The ${noun} was created.`, ...writtenAnswer(resource, answer) } },
    scope: `${resource.resource}:write`,
    target: table.key,
    ...bounded(resource),
    handler: async ({ body, once }) => {
      const checking = checkingOf(once, keyOf?.(body) ?? "", ports);
      const checked = await check?.(body, checking);
      return write(resource, checking, once, async (transaction) => {
        const before = expectReplaceable && (await table.lock(transaction, checking));
        if (before !== undefined) expectReplaceable?.(before);
        const members = await toMembers(body, before, { ...checking, transaction });
        if (limit !== undefined && before === undefined)
          await expectBelow(limit, resource, { ...checking, transaction });
        const row =
          before === undefined
            ? await table.insert(transaction, checking, members, checking.nowMs)
            : await replace(table, before, members, { ...checking, transaction });
        if (row === undefined) throw keyTaken(resource, checking.key);
        const more = await checked?.complete(transaction, row, before);
        return { status: 201, body: writtenBody(table, row, more), versioned: versioned(row) };
      });
    },
  });
}

function updateRoute<Row extends object, Members extends object, Changes, Ports extends ResourcePorts>(
  resource: Resource<Row, Members, Ports>,
  part: Part<"update", Row, Members, Changes, Ports>,
  ports: Ports,
): Route {
  const { noun, table, toRecord, versioned } = resource;
  const { toMembers, check, answer, ...description } = part;
  return defineWriteRoute<Params, unknown, Changes>({
    ...description,
    ...oneOf(resource, "PUT"),
    answers: {
      200: { description: `The updated ${noun}.`, ...writtenAnswer(resource, answer) },
      ...unknownAnswer(resource),
    },
    scope: `${resource.resource}:write`,
    target: table.key,
    ifMatch: true,
    returnsStored: true,
    ...bounded(resource),
    handler: async ({ params, body, once, header }) => {
      const checking = checkingOf(once, keyIn(params, table), ports);
      expectKey(body, checking.key, table);
      const checked = await check?.(body, checking);
      return write(resource, checking, once, async (transaction) => {
        const stored = await lock(transaction, resource, checking, header("if-match"));
        const members = await toMembers(body, stored, { ...checking, transaction });
        const row = await replace(table, stored, members, { ...checking, transaction });
        const more = await checked?.complete(transaction, row, stored);
        const answered = { status: 200, body: writtenBody(table, row, more), versioned: versioned(row) };
        return { ...answered, stored: toRecord(stored) };
      });
    },
  });
}

function deleteRoute<Row extends object, Members extends object, Ports extends ResourcePorts>(
  resource: Resource<Row, Members, Ports>,
  part: Part<"delete", Row, Members, unknown, Ports>,
  ports: Ports,
): Route {
  const { noun, table } = resource;
  const { inUse, release, answer = { members: {}, example: {} }, ...description } = part;
  return defineWriteRoute<Params>({
    ...description,
    ...oneOf(resource, "DELETE"),
    answers: {
      200: {
        description: `The ${noun} is deleted.`,
        schema: successShape.extend(answer.members),
        example: { ...successExample, ...answer.example },
      },
      ...unknownAnswer(resource),
      ...(inUse && { 422: { description: `${inUse.code} or IDEMPOTENCY_KEY_REUSED` } }),
    },
    scope: `${resource.resource}:write`,
    target: table.key,
    ifMatch: true,
    handler: ({ params, once, header }) => {
      const checking = checkingOf(once, keyIn(params, table), ports);
      return write(resource, checking, once, async (transaction) => {
        await lock(transaction, resource, checking, header("if-match"));
        await expectUnused(transaction, inUse, checking);
        const more = await release?.({ ...checking, transaction });
        await table.delete(transaction, checking, checking.nowMs);
        return { status: 200, body: { success: true, ...more } };
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
async function write<Row extends object, Members extends object, Ports extends ResourcePorts>(
  resource: Resource<Row, Members, Ports>,
  { ports }: Checking<Ports>,
  once: OnceCall,
  run: (transaction: Transaction) => Promise<Outcome>,
): Promise<Answer> {
  const written = await runOnce(ports.postgres, once, async (transaction) => {
    const { status, body, versioned, stored } = await run(transaction);
    const answer = { status, body, ...(versioned !== undefined && { headers: etag(versioned) }) };
    return { answer, kept: body, stored };
  });
  resource.committed?.(once.caller.account, ports);
  return written;
}

function checkingOf<Ports extends ResourcePorts>({ caller }: OnceCall, key: string, ports: Ports): Checking<Ports> {
  return { account: caller.account.number, key, caller, ports, nowMs: ports.clock.nowMs() };
}

/** Locks a row that is written. Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
async function lock<Row extends object, Members extends object, Ports extends ResourcePorts>(
  transaction: Transaction,
  resource: Resource<Row, Members, Ports>,
  name: RowName,
  ifMatch: string | undefined,
): Promise<Row> {
  const stored = await resource.table.lock(transaction, name);
  if (stored === undefined) throw unknown(resource);
  expectVersion(ifMatch, contentVersion(resource.versioned(stored)));
  return stored;
}

/** Stores the members of a locked row. A change that changes nothing is not written: the row keeps the time of its last update. */
async function replace<Row extends object, Members extends object>(
  table: ResourceTable<Row, Members>,
  stored: Row,
  members: Members,
  writing: Writing<unknown>,
): Promise<Row> {
  if (!holds(stored, members)) await table.update(writing.transaction, writing, members, writing.nowMs);
  return { ...stored, ...members };
}

/** Throws the refusal of a record that is one more than the account may have. */
async function expectBelow(
  { code, path, max }: CreateLimit,
  { noun, table }: Named & { readonly table: Pick<ResourceTable<object, object>, "count"> },
  { account, caller, transaction }: Writing<unknown>,
): Promise<void> {
  const most = max(caller.account.settings);
  if ((await table.count(transaction, { account, equal: {} })) < most) return;
  const message = `An account can have at most ${most} ${noun}s.`;
  throw refusal(code, message, { details: [{ path, code: "too_many", message }] });
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

function bounded({ bodyBytesMax }: { readonly bodyBytesMax?: number }) {
  return bodyBytesMax === undefined ? {} : { bodyBytesMax };
}

function holds(stored: object, members: object): boolean {
  return Object.entries(members).every(([name, value]) => isDeepStrictEqual(Reflect.get(stored, name), value));
}

function etag(versioned: unknown) {
  return { ETag: etagOf(contentVersion(versioned)) };
}

type Params = Readonly<Record<string, string>>;
type Named = Pick<Resource<object, object, ResourcePorts>, "resource" | "noun" | "keyShape" | "unknownCode"> & {
  readonly table: { readonly key: string };
};

/** Parts that the routes of one record share. */
function oneOf<Method extends Route["method"]>({ resource, table: { key }, keyShape }: Named, method: Method) {
  const params: z.ZodType<Params> = z.strictObject({ [key]: keyShape ?? storableText(KEY_CHARACTERS_MAX) });
  return { method, path: `/v2/${resource}/{${key}}`, tags: [resource], params };
}

function keyIn(params: Params, { key }: Named["table"]): string {
  const value = params[key];
  if (value === undefined) throw new Error(`the path has no ${key}`);
  return value;
}

function unknownAnswer({ noun, table: { key }, unknownCode = "RECORD_NOT_FOUND" }: Named) {
  return { 404: { description: `${unknownCode}: no ${noun} has this ${key}.` } };
}

function unknown({ noun, table: { key }, unknownCode = "RECORD_NOT_FOUND" }: Named) {
  return refusal(unknownCode, `No ${noun} has this ${key}.`);
}

function keyTaken({ noun, table: { key } }: Named, taken: string) {
  const message = `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun} with the ${key} ${JSON.stringify(taken)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: `/${key}`, code: "bad_value", message }] });
}

/** Body of a create's or an update's answer. */
function writtenBody({ key }: Named["table"], row: object, more: object | undefined) {
  return { success: true, [key]: Reflect.get(row, key), ...more };
}

function writtenAnswer(
  { shape, table: { key }, example }: Named & Pick<Resource<object, object, ResourcePorts>, "shape" | "example">,
  more: AnswerMembers = { members: {}, example: {} },
) {
  const schema = successShape.extend({ [key]: shape.shape[key], ...more.members });
  return { schema, example: { success: true, [key]: example[key], ...more.example } };
}
