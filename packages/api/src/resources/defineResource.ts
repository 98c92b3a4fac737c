import { isDeepStrictEqual } from "node:util";
import {
  type Answer,
  bodyRefusal,
  type DryRunRules,
  defineRoute,
  type ReadBody,
  type Route,
  readByHandler,
  refusal,
} from "@headwater/http";
import type { ResourceTable, RowName } from "@headwater/postgres/connection/resourceTable";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { z } from "zod";
import { successExample, successShape } from "../answers/success.ts";
import { waitForAfter } from "../consistency/after.ts";
import { type OnceCall, orFirstAnswer, runOnce } from "../idempotency/runOnce.ts";
import { namesAny, pickFields } from "../paging/listAnswer.ts";
import { afterQuery, type ListQuery, listQuery } from "../paging/query.ts";
import { contentVersion, etagOf, expectVersion } from "../writing/ifMatch.ts";
import { defineWriteRoute } from "../writing/writeRoute.ts";
import { listRoute } from "./listRoute.ts";
import {
  keyIn,
  keyTaken,
  type Named,
  oneOf,
  type Params,
  unknown,
  unknownAnswer,
  withSecret,
  writtenAnswer,
  writtenBody,
} from "./recordAnswers.ts";
import type {
  Checking,
  CreateLimit,
  FurtherProblems,
  InUse,
  Part,
  Resource,
  ResourceDefinition,
  ResourcePorts,
  ResourceRoutes,
  Viewing,
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
  Found = undefined,
>(definition: ResourceDefinition<Row, Members, New, Changes, Ports, Found>): ResourceRoutes<Ports> {
  const { list, get, create, update, delete: remove } = definition;
  return (ports) => [
    ...(list ? [listRoute(definition, { ...list, computed: get?.computed }, ports)] : []),
    ...(create ? [createRoute(definition, create, ports)] : []),
    ...(get ? [getRoute(definition, get, ports)] : []),
    ...(update ? [updateRoute(definition, update, ports)] : []),
    ...(remove ? [deleteRoute(definition, remove, ports)] : []),
  ];
}

function getRoute<Row extends object, Members extends object, Ports extends ResourcePorts>(
  resource: Resource<Row, Members, Ports>,
  { fields: hasFields, computed = {}, ...description }: Part<"get", Row, Members, unknown, Ports>,
  ports: Ports,
): Route {
  const { noun, table, shape, example, versioned, store = "state" } = resource;
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
    handler: async ({ params, query: { after, fields }, caller: { account }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store, signal }, ports);
      const pick = pickFields(fields, members);
      const row = await table.read(ports.postgres, { account: account.number, key: keyIn(params, table) });
      if (row === undefined) throw unknown(resource);
      const viewing = { account, session: ports.postgres, ports };
      const record = await recordOf(resource, row, viewing);
      const wanted = Object.entries(computed).filter(([name]) => fields === undefined || namesAny(fields, [name]));
      const read = await Promise.all(
        wanted.map(async ([name, compute]) => [name, await compute(row, viewing)] as const),
      );
      const more = Object.fromEntries(read.filter(([, value]) => value !== undefined));
      return { status: 200, body: pick({ ...record, ...more }), headers: etag(versioned(row)) };
    },
  });
}

async function recordOf<Row extends object, Members extends object, Ports extends ResourcePorts>(
  { toRecord, load }: Resource<Row, Members, Ports>,
  row: Row,
  viewing: Viewing<Ports>,
): Promise<object> {
  const [loaded = row] = (await load?.([row], viewing)) ?? [];
  return toRecord(loaded, viewing);
}

function createRoute<Row extends object, Members extends object, New, Ports extends ResourcePorts, Found>(
  resource: Resource<Row, Members, Ports>,
  part: Part<"create", Row, Members, New, Ports, Found>,
  ports: Ports,
): Route {
  const { noun, table, versioned } = resource;
  const { body: shape, keyOf, expectReplaceable, toMembers, check, furtherProblems, limit, ...rest } = part;
  const { answer, secret, starts, ...description } = rest;
  const { schema, example } = writtenAnswer(resource, answer);
  return defineWriteRoute<unknown, unknown, ReadBody<New>>({
    ...description,
    method: "POST",
    path: `/v2/${resource.resource}`,
    tags: [resource.resource],
    answers: {
      201: { description: `The ${noun} was created.`, schema: schema.extend(secret?.members ?? {}), example },
    },
    scope: `${resource.resource}:write`,
    dryRun: dryRunOf(secret, starts),
    target: table.key,
    body: readByHandler(shape),
    ...bounded(resource),
    handler: async ({ body: read, once }) => {
      // Whatever was sent: an object may have a `toString` of its own, which no text comes from.
      const key: unknown = read.given[table.key];
      const named = typeof key === "string" || typeof key === "number" ? String(key) : "";
      const body = await contentOf(read, furtherProblems, checkingOf(once, named, ports));
      const checking = checkingOf(once, keyOf?.(body) ?? "", ports);
      const checked = await check?.(body, checking);
      const written = await write(resource, checking, once, async (transaction) => {
        const before = expectReplaceable && (await table.lock(transaction, checking));
        if (before !== undefined) expectReplaceable?.(before);
        const members = await toMembers(body, before, { ...checking, transaction, found: checked?.found });
        if (limit !== undefined && before === undefined)
          await expectBelow(limit, resource, { ...checking, transaction });
        const row =
          before === undefined
            ? await table.insert(transaction, checking, members, checking.nowMs)
            : await replace(table, before, members, { ...checking, transaction });
        if (row === undefined) throw keyTaken(resource, checking.key);
        const more = await checked?.complete?.(transaction, row, before);
        return { status: 201, body: writtenBody(table, row, more), versioned: versioned(row) };
      });
      return withSecret(written, secret, body, { ...checking, key: table.key });
    },
  });
}

function dryRunOf(secret: { readonly members: object } | undefined, starts: DryRunRules["starts"]) {
  return { class: "rolledBack", omits: Object.keys(secret?.members ?? {}), ...(starts && { starts }) } as const;
}

/** Throws 422 `VALIDATION_ERROR` with everything that is wrong with a body of another shape. */
async function contentOf<Body, Ports>(
  read: ReadBody<Body>,
  furtherProblems: FurtherProblems<Ports> | undefined,
  checking: Checking<Ports>,
): Promise<Body> {
  if (read.kind === "valid") return read.content;
  const further = furtherProblems === undefined ? [] : await furtherProblems(read.given, checking);
  throw bodyRefusal([...read.problems, ...further]);
}

function updateRoute<Row extends object, Members extends object, Changes, Ports extends ResourcePorts, Found>(
  resource: Resource<Row, Members, Ports>,
  part: Part<"update", Row, Members, Changes, Ports, Found>,
  ports: Ports,
): Route {
  const { noun, table, versioned } = resource;
  const { body: shape, toMembers, check, furtherProblems, answer, secret, starts, ...description } = part;
  const { schema, example } = writtenAnswer(resource, answer);
  return defineWriteRoute<Params, unknown, ReadBody<Changes>>({
    ...description,
    ...oneOf(resource, "PUT"),
    answers: {
      200: { description: `The updated ${noun}.`, schema: schema.extend(secret?.members ?? {}), example },
      ...unknownAnswer(resource),
    },
    scope: `${resource.resource}:write`,
    dryRun: dryRunOf(secret, starts),
    target: table.key,
    ifMatch: true,
    returnsStored: true,
    body: readByHandler(shape),
    ...bounded(resource),
    handler: ({ params, body: read, once, header }) => {
      const run = async () => {
        const checking = checkingOf(once, keyIn(params, table), ports);
        const body = await contentOf(read, furtherProblems, checking);
        const checked = await check?.(body, checking);
        const written = await write(resource, checking, once, async (transaction) => {
          const stored = await lock(transaction, resource, checking, header("if-match"));
          const key = String(Reflect.get(stored, table.key));
          expectKey(body, key, table);
          const writing = { ...checking, key, transaction };
          const members = await toMembers(body, stored, { ...writing, found: checked?.found });
          const row = await replace(table, stored, members, writing);
          const more = await checked?.complete?.(transaction, row, stored);
          const answered = { status: 200, body: writtenBody(table, row, more), versioned: versioned(row) };
          if (!once.readOnly?.members.length) return answered;
          const viewing = { account: once.caller.account, session: transaction, ports };
          return { ...answered, stored: await recordOf(resource, stored, viewing) };
        });
        return withSecret(written, secret, body, { ...checking, key: table.key });
      };
      // What was checked may have changed, and a repeat may be refused for what the first call has written.
      return check === undefined ? run() : orFirstAnswer(ports.postgres, once, () => retryOnConflict(run));
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
    dryRun: "rolledBack",
    target: table.key,
    ifMatch: true,
    handler: ({ params, once, header }) => {
      const checking = checkingOf(once, keyIn(params, table), ports);
      return write(resource, checking, once, async (transaction) => {
        const row = await lock(transaction, resource, checking, header("if-match"));
        const writing = { ...checking, key: String(Reflect.get(row, table.key)), transaction };
        await expectUnused(transaction, inUse, row);
        const more = await release?.(writing, row);
        await table.delete(transaction, writing, checking.nowMs);
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
  /** Record before the write, as a GET shows it: read-only members of the body are compared with it. */
  readonly stored?: unknown;
}

/** Runs a write once for its `Idempotency-Key`. Every write of every resource passes here. */
async function write<Row extends object, Members extends object, Ports extends ResourcePorts>(
  resource: Resource<Row, Members, Ports>,
  { account, ports }: Checking<Ports>,
  once: OnceCall,
  run: (transaction: Transaction) => Promise<Outcome>,
): Promise<Answer> {
  const written = await runOnce(ports.postgres, once, async (transaction) => {
    await resource.lock?.(transaction, account);
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
async function expectUnused<Row>(transaction: Transaction, inUse: InUse<Row> | undefined, row: Row): Promise<void> {
  const users = (await inUse?.users(transaction, row)) ?? [];
  if (inUse === undefined || users.length === 0) return;
  const details = users.map((message) => ({ path: "", code: "not_allowed", message }));
  throw refusal(inUse.code, inUse.message, { details });
}

/** Throws 422 `VALIDATION_ERROR` for a body with another key than that of the path. */
function expectKey(body: unknown, stored: string, { key }: Named["table"]): void {
  const input: unknown = Reflect.get(Object(body), key);
  if (input === undefined || input === stored) return;
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
