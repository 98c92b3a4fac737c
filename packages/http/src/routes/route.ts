import type { z } from "zod";
import type { Answer } from "../answers/answer.ts";
import type { BodyRules } from "../body/refusedBody.ts";
import type { AuthScheme } from "../guards/authentication.ts";
import type { Caller, RouteRights } from "../guards/caller.ts";

export type { BodyRules };

/**
 * Says where a route that finds its caller itself searches for it: nowhere, in a header that signs the body, or under members of the
 * body. Until it is known, no more is read of a body than this needs.
 */
export type OwnCaller =
  | { readonly kind: "none" }
  | { readonly kind: "signature"; readonly header: string }
  | { readonly kind: "body"; readonly path: readonly string[] };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One answer of a route, for the OpenAPI document. */
export interface AnswerDescription {
  readonly description: string;
  /** Default `application/json`. */
  readonly mediaType?: string;
  /** Absent on an error: the one error body. */
  readonly schema?: z.ZodType | JsonSchema;
  readonly example?: unknown;
}

/** Description of a route in the OpenAPI document. */
export interface RouteDescription {
  readonly method: Method;
  /** OpenAPI form: `/v2/contacts/{primary_key}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Answers by status. Those of errors every route has are added. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  readonly requestExample?: unknown;
}

/** A request as it reaches a route: allowed, within its limits, its body read. */
export interface Call {
  readonly requestId: string;
  /** `HEAD` on a route of `GET`, too. */
  readonly method: string;
  /** Milliseconds since 1970 at which it came in. */
  readonly receivedAtMs: number;
  /** Undefined on public routes, and on those that find their caller themselves. */
  readonly caller: Caller | undefined;
  readonly params: unknown;
  readonly query: unknown;
  /** Empty where the route takes no body. */
  readonly bytes: Buffer;
  /** The body of a route that streams it, within its bound; to be read once. */
  readonly stream: AsyncIterable<Buffer>;
  readonly mediaType: string;
  /** W3C trace context of a sampled request. */
  readonly traceparent: string | undefined;
  /** The client's, undefined when a trusted proxy names one that cannot be read. */
  readonly clientAddress: string | undefined;
  /** A header's value, undefined when it is absent. `name` in lower case. */
  header(name: string): string | undefined;
  /**
   * Lets a caller in that the route found by itself, by a signature or by a key in the body: counts it against its rate and
   * checks its scope. @throws HeadwaterError 401 for nobody, 429, 403.
   */
  admit(caller: Caller | undefined): Caller;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
  /** Everything that the call writes is rolled back. */
  readonly isDryRun?: true;
}

/**
 * Rules of `?dryRun=true`. `rolledBack`: it runs, and its transaction is rolled back. `checked`: it is validated as the real
 * call is, and what leaves its transaction is not begun. `none`: it has no dry run.
 */
export interface DryRunRules {
  readonly class: "rolledBack" | "checked" | "none";
  /** Scope that a dry run needs in place of the route's own. */
  readonly scope?: string;
  /** Path of the GET that answers the record that is written; default the nearest at or above the route's path. */
  readonly record?: string;
  /** Returns parameters of that path, where the body names the record. */
  readonly paramsOf?: (body: unknown) => object;
  /** Members of the answer that a dry run leaves out: keys and other secrets. */
  readonly omits?: readonly string[];
  /**
   * Returns the number of sends and runs that the write starts, where it starts some itself. Default: what its change events may start.
   * @param record as a GET answers it after the write.
   */
  readonly starts?: (answer: Answer, record: unknown) => number | "unknown";
}

export interface StreamRules {
  readonly bytesMax: number;
}

/** A route in the form the server runs; made by `defineRoute` and its kin. */
export interface Route extends RouteDescription, RouteRights {
  readonly auth?: AuthScheme;
  /** No key is needed, but one that is sent is checked. */
  readonly optionalAuth?: AuthScheme;
  readonly rateClass?: string;
  /** Rules of its dry run; absent where it writes nothing. */
  readonly dryRun?: DryRunRules;
  readonly bodyRules?: BodyRules;
  /** The body is handed to the route as it comes, whatever its type and encoding say. */
  readonly stream?: StreamRules;
  /** Caller of routes without `auth`; default none. */
  readonly caller?: OwnCaller;
  readonly shapes: {
    readonly params?: z.ZodType;
    readonly query?: z.ZodType;
    readonly headers?: z.ZodType;
    readonly body?: z.ZodType | JsonSchema;
  };
  /** @param resource how what a write creates or updates is read. */
  run(call: Call, resource?: ReadResource): Answer | Promise<Answer>;
}

/** Reads of a resource. */
export interface ReadResource {
  /** Shape of its answers: members that it names, and the shape of the body does not, are read-only. */
  readonly shape: z.ZodType;
  /** Returns the record as it is stored. Absent where a call creates one, or may not read it. */
  readonly record?: () => Promise<unknown>;
}
