import { type Account, coversScope, isReservedForPeople, type Role } from "@headwater/contracts";

/** Sender of a request: an API key, a person who is signed in, or an assistant that acts for one. */
export interface Caller {
  readonly kind: "key" | "person" | "assistant";
  readonly id: string;
  /** Name for people; never an address. */
  readonly name: string;
  readonly account: Account;
  /** Scopes that it was granted; those of a person are the ones of its role, at the most. */
  readonly scopes: readonly string[];
  /** Role of the person in this account; keys have none. */
  readonly role?: Role;
  /** Operations that it may call, of those that its scopes open. Absent = all of them. */
  readonly operations?: readonly string[];
  /** Id of the client that acts for a person. */
  readonly client?: string;
  /** Id of what the person granted to that client. */
  readonly grant?: string;
  /** Addresses and ranges (CIDR) it may call from; absent = any. */
  readonly allowIps?: readonly string[];
  /** Milliseconds since 1970; absent = without end. */
  readonly expiresAtMs?: number;
}

/** Rights that a route asks for. */
export interface RouteRights {
  readonly operationId: string;
  readonly scope?: string;
  /** Scope that the caller needs as well: of a route of one resource whose answers show another one. */
  readonly alsoScope?: string;
  /** Scope that people and their assistants need as well, and keys do not. */
  readonly personScope?: string;
}

/** Returns whether the caller has a scope, by itself or by a broader one. Some are for people alone, whatever a key was given. */
export function mayUse({ kind, scopes }: Pick<Caller, "kind" | "scopes">, scope: string | undefined): boolean {
  if (scope === undefined) return true;
  return coversScope(scopes, scope) && (kind !== "key" || !isReservedForPeople(scope));
}

/** Names the first right of a route that the caller lacks: a scope, or the operation; undefined when it may call it. */
export function missingRight(caller: Caller, route: RouteRights): string | undefined {
  const { scope, alsoScope, personScope, operationId } = route;
  const needed = caller.kind === "key" ? [scope, alsoScope] : [scope, alsoScope, personScope];
  const missing = needed.find((wanted) => !mayUse(caller, wanted));
  if (missing !== undefined) return missing;
  const { operations } = caller;
  return operations === undefined || operations.includes(operationId) ? undefined : operationId;
}
