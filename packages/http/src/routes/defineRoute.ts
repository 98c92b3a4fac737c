import {
  ignoredMembersOf,
  pointerOf,
  type ReadOnlyMember,
  runAtOnce,
  runInSlices,
  type Sliced,
} from "@headwater/kernel";
import { z } from "zod";
import type { Answer } from "../answers/answer.ts";
import type { MemberNames } from "../body/exactNumbers.ts";
import { parseJsonBody } from "../body/jsonBody.ts";
import type { BodyRules } from "../body/refusedBody.ts";
import type { AuthScheme } from "../guards/authentication.ts";
import type { Caller } from "../guards/caller.ts";
import { type BodyParser, parseBody, schemaOfBody } from "./bodyParser.ts";
import { type BodyWarning, describeWarnings, readOnlyWarnings, withWarnings } from "./bodyWarnings.ts";
import { parseShape } from "./problems.ts";
import type { Call, JsonSchema, OwnCaller, ReadResource, Route, RouteDescription } from "./route.ts";

/** A call whose parts have the types of the route's shapes. */
export interface TypedCall<Params, Query, Body> {
  readonly requestId: string;
  /** `HEAD` on a route of `GET`, too. */
  readonly method: string;
  /** Milliseconds since 1970 at which it came in. */
  readonly receivedAtMs: number;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The client's, undefined when a trusted proxy names one that cannot be read. */
  readonly clientAddress: string | undefined;
  /** A header's value, undefined when it is absent. `name` in lower case. */
  header(name: string): string | undefined;
  /** Holder of the key that was sent; undefined on a public route without one. */
  readonly sender: Caller | undefined;
  /** The call before its body and query were read into their shapes. */
  readonly received: Pick<Call, "bytes" | "query" | "isDryRun">;
  /** Read-only members of the body that are to be compared with the stored record; none where there is no `readRecord`. */
  readonly readOnly: readonly ReadOnlyMember[];
  /** Returns the record as it is stored before this call; undefined where the call creates one, or may not read it. */
  readonly readRecord: (() => Promise<unknown>) | undefined;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

export interface AuthenticatedCall<Params, Query, Body> extends TypedCall<Params, Query, Body> {
  readonly caller: Caller;
}

interface Shaped<Params, Query, Body> extends RouteDescription {
  readonly params?: z.ZodType<Params>;
  /** Closed: a parameter it does not name is refused. Absent: the route takes none. */
  readonly query?: z.ZodType<Query>;
  /** Headers that the route reads, for the OpenAPI document. */
  readonly headers?: z.ZodType;
  /** Parses the body, and is what the OpenAPI document shows. */
  readonly body?: z.ZodType<Body> | BodyParser<Body>;
  /** The handler reads the bytes of the body itself, in `received`. */
  readonly readsBytes?: boolean;
  /** Shape whose unknown members are reported in the `warnings` of an answer. Default: they are ignored without a word. */
  readonly warnsBy?: z.ZodType | undefined;
  /** Names at the top of the body that are known next to those of `warnsBy`. */
  readonly alsoKnown?: (caller: Caller) => readonly string[];
  /** Read-only names at the top of a free-form body, whose shape takes every name. */
  readonly readOnlyNames?: readonly string[];
  /** Further warnings of a body that was accepted. */
  readonly warnsOf?: ((body: Body, caller: Caller) => readonly BodyWarning[]) | undefined;
  /** Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** A call without a body is one whose body is `{}`. Default: it is refused as no JSON. */
  readonly isBodyOptional?: boolean;
  /** Members of the body whose numbers keep every digit: a number that a double cannot hold comes as text. Default none. */
  readonly exactMembers?: MemberNames;
}

export interface RouteDefinition<Params, Query, Body> extends Shaped<Params, Query, Body> {
  readonly auth: AuthScheme;
  readonly scope?: string;
  /** Scope that the caller needs as well: of a route of one resource whose answers show another one. */
  readonly alsoScope?: string;
  /** Scope that people and their assistants need as well, and keys do not. */
  readonly personScope?: string;
  readonly rateClass: string;
  readonly handler: (call: AuthenticatedCall<Params, Query, Body>) => Answer | Promise<Answer>;
}

export interface PublicRouteDefinition<Params, Query, Body> extends Shaped<Params, Query, Body> {
  /** No key is needed, but one that is sent is checked. */
  readonly optionalAuth?: AuthScheme;
  readonly handler: (call: TypedCall<Params, Query, Body>) => Answer | Promise<Answer>;
}

export interface RawRouteDefinition extends RouteDescription {
  readonly auth: AuthScheme;
  readonly scope?: string;
  readonly rateClass: string;
  readonly bodyRules: BodyRules;
  readonly bodySchema: JsonSchema;
  readonly query?: z.ZodType;
  /** Headers that the route reads, for the OpenAPI document. */
  readonly headers?: z.ZodType;
  readonly handler: (call: Call, caller: Caller) => Answer | Promise<Answer>;
}

export interface OwnAuthRouteDefinition extends RouteDescription {
  readonly scope?: string;
  readonly rateClass: string;
  readonly bodyRules: BodyRules;
  /** Default none: nobody is known, and a body has at most 16 KiB. */
  readonly caller?: OwnCaller;
  readonly bodySchema: JsonSchema;
  readonly params?: z.ZodType;
  /** Headers the route asks for, for the OpenAPI document. */
  readonly headers?: z.ZodType;
  readonly handler: (call: Call) => Answer | Promise<Answer>;
}

const BODY_BYTES_MAX = 1024 * 1024;
const PARSE_ERROR_STATUS = 400;
const noParameters = z.strictObject({});

/**
 * A route for callers with a key. Parameters and body are checked before the handler sees them: unknown or wrong query
 * parameters are 400 `BAD_REQUEST`, a wrong body 422 `VALIDATION_ERROR`.
 */
export function defineRoute<Params = unknown, Query = unknown, Body = undefined>(
  definition: RouteDefinition<Params, Query, Body>,
): Route;
export function defineRoute(definition: RouteDefinition<unknown, unknown, unknown>): Route {
  const { auth, scope, alsoScope, personScope, rateClass, handler } = definition;
  return {
    ...toRoute(definition),
    auth,
    rateClass,
    ...(scope === undefined ? {} : { scope }),
    ...(alsoScope === undefined ? {} : { alsoScope }),
    ...(personScope === undefined ? {} : { personScope }),
    run: (call, resource) => runTyped({ call, resource }, definition, handler),
  };
}

/** A route that anybody may call. */
export function definePublicRoute<Params = unknown, Query = unknown, Body = undefined>(
  definition: PublicRouteDefinition<Params, Query, Body>,
): Route;
export function definePublicRoute(definition: PublicRouteDefinition<unknown, unknown, unknown>): Route {
  const { handler, optionalAuth } = definition;
  return {
    ...toRoute(definition),
    ...(optionalAuth === undefined ? {} : { optionalAuth }),
    run: (call) => runTyped({ call, resource: undefined }, definition, handler),
  };
}

/** A route for callers with a key that reads its body's bytes and its query itself. */
export function defineRawRoute(definition: RawRouteDefinition): Route {
  const { handler, bodySchema, query, headers, ...route } = definition;
  return {
    ...route,
    shapes: { body: bodySchema, ...(query && { query }), ...(headers && { headers }) },
    run: (call) => handler(call, callerOf(call)),
  };
}

export interface StreamRouteDefinition<Query> extends RouteDescription {
  readonly auth: AuthScheme;
  readonly scope: string;
  readonly rateClass: string;
  readonly bytesMax: number;
  readonly query: z.ZodType<Query>;
  /** Headers that the route reads, for the OpenAPI document. */
  readonly headers?: z.ZodType;
  readonly handler: (call: Call, input: { readonly caller: Caller; readonly query: Query }) => Answer | Promise<Answer>;
}

/** A route for callers with a key whose body is of any type and is never held whole; key, rate and scope are checked before it is read. */
export function defineStreamRoute<Query>(definition: StreamRouteDefinition<Query>): Route {
  const { handler, bytesMax, query, headers, ...route } = definition;
  return {
    ...route,
    stream: { bytesMax },
    shapes: { query, body: { type: "string", format: "binary" }, ...(headers && { headers }) },
    run: (call) => handler(call, { caller: callerOf(call), query: parseShape(query, call.query, "query") }),
  };
}

export interface PublicStreamRouteDefinition extends RouteDescription {
  readonly bytesMax: number;
  readonly params?: z.ZodType;
  readonly bodySchema: JsonSchema;
  readonly handler: (call: Call) => Answer | Promise<Answer>;
}

/** A route that anybody may call and that decides by the path whether it reads the body, which is never held whole. */
export function definePublicStreamRoute(definition: PublicStreamRouteDefinition): Route {
  const { handler, bytesMax, bodySchema, params, ...route } = definition;
  return {
    ...route,
    stream: { bytesMax },
    shapes: { body: bodySchema, ...(params && { params }) },
    run: (call) => handler(call),
  };
}

/** A route that reads its bytes itself and finds its caller in them or in a header; it lets it in with `call.admit`. */
export function defineOwnAuthRoute(definition: OwnAuthRouteDefinition): Route {
  const { handler, bodySchema, params, headers, ...route } = definition;
  return {
    ...route,
    shapes: { body: bodySchema, ...(params && { params }), ...(headers && { headers }) },
    run: (call) => handler(call),
  };
}

function toRoute(definition: Shaped<unknown, unknown, unknown>): Omit<Route, "run"> {
  const { method, path, operationId, summary, description, tags, answers, requestExample } = definition;
  const { params, query, headers, body, bodyBytesMax = BODY_BYTES_MAX, isBodyOptional = false } = definition;
  const { warnsBy } = definition;
  return {
    method,
    path,
    operationId,
    summary,
    answers: warnsBy === undefined ? answers : describedWithWarnings(answers),
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
    ...(requestExample === undefined ? {} : { requestExample }),
    shapes: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body: schemaOfBody(body) }),
    },
    ...(body === undefined ? {} : { bodyRules: { ...jsonOf(bodyBytesMax), isOptional: isBodyOptional } }),
  };
}

const FIRST_ERROR = 400;

function describedWithWarnings(answers: Route["answers"]): Route["answers"] {
  const described = Object.entries(answers).map(([status, answer]) => {
    return [status, Number(status) < FIRST_ERROR ? describeWarnings(answer) : answer] as const;
  });
  return Object.fromEntries(described);
}

function jsonOf(bytesMax: number): BodyRules {
  return { bytesMax, mediaTypes: ["application/json"], parseErrorStatus: PARSE_ERROR_STATUS };
}

const NO_MEMBERS = Buffer.from("{}");

interface AnyCall extends AuthenticatedCall<unknown, unknown, unknown> {
  readonly warnings: readonly BodyWarning[];
}

/** Bodies up to this size are parsed within a millisecond, without a turn of the event loop between. */
const BYTES_AT_ONCE = 64 * 1024;

interface Called {
  readonly call: Call;
  readonly resource: ReadResource | undefined;
}

function runTyped(
  called: Called,
  definition: Shaped<unknown, unknown, unknown>,
  handler: (call: AnyCall) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  const typing = typedCall(called, definition);
  const run = (typed: AnyCall) => withBodyWarnings(handler(typed), typed);
  return called.call.bytes.length > BYTES_AT_ONCE ? runInSlices(typing).then(run) : run(runAtOnce(typing));
}

function withBodyWarnings(
  answer: Answer | Promise<Answer>,
  { warnings }: Pick<AnyCall, "warnings">,
): Answer | Promise<Answer> {
  if (warnings.length === 0) return answer;
  if (answer instanceof Promise) return answer.then((one) => withWarnings(one, warnings));
  return withWarnings(answer, warnings);
}

function* typedCall({ call, resource }: Called, definition: Shaped<unknown, unknown, unknown>): Sliced<AnyCall> {
  const { params, query, exactMembers, isBodyOptional = false } = definition;
  const body = definition.readsBytes === true ? undefined : definition.body;
  const bytes = isBodyOptional && call.bytes.length === 0 ? NO_MEMBERS : call.bytes;
  const parameters = {
    params: params === undefined ? call.params : parseShape(params, call.params, "path"),
    query: parseShape(query ?? noParameters, call.query, "query"),
  };
  const value = body === undefined ? undefined : yield* parseJsonBody(bytes, PARSE_ERROR_STATUS, exactMembers);
  yield;
  const parsed = body === undefined ? undefined : parseBody(body, value);
  return {
    requestId: call.requestId,
    method: call.method,
    receivedAtMs: call.receivedAtMs,
    ...parameters,
    body: parsed,
    ...ignoredIn({ call, resource }, definition, { value, parsed }),
    readRecord: resource?.record,
    clientAddress: call.clientAddress,
    header: (name) => call.header(name),
    sender: call.caller,
    received: call,
    get caller() {
      return callerOf(call);
    },
    /** Made when it is asked for: most reads by key never do. */
    get signal() {
      return call.signal;
    },
  };
}

function ignoredIn(
  { call, resource }: Called,
  { warnsBy, alsoKnown, readOnlyNames = [], warnsOf }: Shaped<unknown, unknown, unknown>,
  { value, parsed }: { readonly value: unknown; readonly parsed: unknown },
): Pick<AnyCall, "warnings" | "readOnly"> {
  if (warnsBy === undefined) return { warnings: [], readOnly: [] };
  const known = new Set(alsoKnown?.(callerOf(call)).map((name) => pointerOf([name])));
  const { unknown, readOnly } = ignoredMembersOf(warnsBy, value, resource?.shape);
  const ignored = unknown.filter(({ path }) => !known.has(path));
  const named = readOnlyNames.flatMap((name) => {
    const member: unknown = Reflect.get(Object(value), name);
    return member === undefined ? [] : [{ path: [name], value: member }];
  });
  const warnings = warnsOf === undefined ? ignored : [...ignored, ...warnsOf(parsed, callerOf(call))];
  const members = [...readOnly, ...named];
  if (resource?.record !== undefined) return { warnings, readOnly: members };
  const provided = members.filter((member) => member.value !== null);
  return { warnings: [...warnings, ...readOnlyWarnings(provided, " and was ignored.")], readOnly: [] };
}

function callerOf({ caller }: Call): Caller {
  if (caller === undefined) throw new Error("a route with authentication ran without a caller");
  return caller;
}
