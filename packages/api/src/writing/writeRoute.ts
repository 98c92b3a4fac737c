import {
  type Answer,
  type AuthenticatedCall,
  type DryRunRules,
  defineRoute,
  type Route,
  type RouteDefinition,
  schemaOfBody,
} from "@headwater/http";
import { z } from "zod";
import { type LoggedWrite, membersOf } from "../accountLog/noteWrite.ts";
import type { OnceCall } from "../idempotency/runOnce.ts";
import { routeOf, sentBy } from "./keyedCall.ts";

/** A call that writes. */
export interface WriteCall<Params, Query, Body> extends AuthenticatedCall<Params, Query, Body> {
  /** Call that `runOnce` and `writeOnce` take. */
  readonly once: OnceCall;
}

export interface WriteDryRun<Params, Query, Body> extends DryRunRules {
  /** Runs behind the handler, in a transaction of its own that is rolled back as well. @returns further members of the dry run's answer. */
  rehearse?(call: WriteCall<Params, Query, Body>): Promise<object>;
}

export interface WriteRouteDefinition<Params, Query, Body>
  extends Omit<RouteDefinition<Params, Query, Body>, "auth" | "rateClass" | "handler" | "headers"> {
  readonly scope: string;
  /** Default `write`. */
  readonly rateClass?: "write" | "jobStart";
  /** Category of its entry in the account's log; default `API`. `System`: settings, keys, erasures. */
  readonly category?: LoggedWrite["category"];
  /** Member of the path, else of the answer, that its entry names as what was written: an id or key that names no person. */
  readonly target?: string;
  /** The route checks `If-Match`. */
  readonly ifMatch?: boolean;
  /**
   * The handler returns the record as it was stored, which then is not read again to compare read-only members with it. A function
   * says so of each body.
   */
  readonly returnsStored?: boolean | ((body: Body) => boolean);
  /** Class of its dry run, by itself or with further rules. */
  readonly dryRun: DryRunRules["class"] | WriteDryRun<Params, Query, Body>;
  readonly handler: (call: WriteCall<Params, Query, Body>) => Answer | Promise<Answer>;
}

/**
 * A route that writes: it takes an `Idempotency-Key`, whose scope is the path as it was called, and reports the members of its body that
 * its shape does not name, and read-only ones that were changed.
 */
export function defineWriteRoute<Params = unknown, Query = unknown, Body = undefined>(
  definition: WriteRouteDefinition<Params, Query, Body>,
): Route {
  const { handler, rateClass = "write", ifMatch, category = "API", target, returnsStored, ...rest } = definition;
  const { dryRun: given, ...shared } = rest;
  const { rehearse, ...dryRun }: WriteDryRun<Params, Query, Body> =
    typeof given === "string" ? { class: given } : given;
  const route = defineRoute<Params, Query, Body>({
    ...shared,
    warnsBy: shared.readsBytes === true ? undefined : (shared.warnsBy ?? (shared.body && schemaOfBody(shared.body))),
    auth: "basic",
    rateClass,
    headers: ifMatch === true ? guardedHeaders : writeHeaders,
    handler: async (call) => {
      const { caller, requestId } = call;
      const route = routeOf(definition, call.params);
      const key = call.header("idempotency-key");
      const { operationId: action, summary: message } = definition;
      const { params, clientAddress: ip, receivedAtMs: at } = call;
      const logged = { category, action, message, target, params, members: membersOf(call.body), ip, at };
      const body = key === undefined ? undefined : sentBy(call.received);
      const { readOnly: members, readRecord } = call;
      const isReturned = typeof returnsStored === "function" ? returnsStored(call.body) : returnsStored;
      const isRead = members.length > 0 && isReturned !== true;
      const readOnly = { members, stored: isRead ? await readRecord?.() : undefined };
      const once = { key, caller, route, body, requestId, logged, readOnly };
      const write = { ...call, once };
      if (rehearse === undefined || call.received.isDryRun !== true) return handler(write);
      const answer = await handler(write);
      return { ...answer, dryRun: await rehearse(write) };
    },
  });
  return { ...route, dryRun };
}

const idempotencyKey = z
  .string()
  .max(255)
  .optional()
  .meta({ description: "A retry with the same key gets the first response." });
const writeHeaders = z.object({ "Idempotency-Key": idempotencyKey });
const guardedHeaders = writeHeaders.extend({
  "If-Match": z.string().optional().meta({ description: "The expected ETag. A mismatch is a 409 VERSION_CONFLICT." }),
});
