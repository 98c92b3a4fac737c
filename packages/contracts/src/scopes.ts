/**
 * Class of the first segment of a `/v2` path, which decides what opens it:
 * `ordinary`: `read` and `write`. `admin`: the scope `admin` alone. `adminWrite`: read by `read`, written by `admin`. `open`: any caller.
 * `own`: any caller its own records, and people with a scope those of others.
 */
export type SegmentClass = "ordinary" | "admin" | "adminWrite" | "open" | "own";

/** First segments of routes of `/v2`. */
export const segmentClasses = {
  account: "adminWrite",
  accountcontactattributes: "ordinary",
  accounting: "ordinary",
  accountlists: "ordinary",
  accountmonitorexport: "admin",
  activityimports: "ordinary",
  alerts: "ordinary",
  apikeys: "admin",
  approvals: "own",
  audiencecount: "ordinary",
  audiences: "ordinary",
  audiencetrendsexport: "ordinary",
  auditlog: "admin",
  automationtemplates: "ordinary",
  batchmessages: "ordinary",
  connections: "own",
  contactactivities: "ordinary",
  contactactivityexport: "ordinary",
  contactexports: "ordinary",
  contactimports: "ordinary",
  contacts: "ordinary",
  datajobs: "ordinary",
  deadletters: "ordinary",
  exports: "ordinary",
  files: "ordinary",
  freshness: "ordinary",
  health: "open",
  imports: "ordinary",
  includes: "ordinary",
  invitations: "admin",
  jobs: "ordinary",
  messageanalyticsexport: "ordinary",
  oauthclients: "admin",
  orchestrations: "ordinary",
  orders: "ordinary",
  ordersexport: "ordinary",
  ordersimport: "ordinary",
  people: "admin",
  productimports: "ordinary",
  products: "ordinary",
  programs: "ordinary",
  receipts: "ordinary",
  roles: "open",
  supplements: "ordinary",
  suppressions: "ordinary",
  transports: "adminWrite",
  uploads: "ordinary",
  webhooks: "adminWrite",
  whoami: "open",
} as const;

const classes: ReadonlyMap<string, SegmentClass> = new Map(Object.entries(segmentClasses));
/** Erasure of a contact is a right of its own for people: `admin` implies it, `write` does not. Keys need `contacts:write` alone. */
const ERASURES = "erasures";

/** Resources of an account's routes; the first part of a narrow scope. */
export const scopeResources: readonly string[] = [...classes].flatMap(([segment, one]) =>
  one === "open" || segment === "connections" ? [] : [segment],
);

/** `read`, `write` and `admin` hold for every resource of their class; `message-events` lets a sending system report opens and clicks through intake. */
const broadScopes = ["read", "write", "admin", "intake", "message-events"] as const;

/** People alone may write these, so that no key outlives or widens what a person was given. */
const reservedForPeople: ReadonlySet<string> = new Set([
  ...["approvals:read", "approvals:write"],
  ...["invitations:write", "oauthclients:write", "people:write"],
]);

const knownScopes: ReadonlySet<string> = new Set([
  ...broadScopes,
  ...scopeResources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
]);

export function isReservedForPeople(scope: string): boolean {
  return reservedForPeople.has(scope);
}

/** Returns whether a key can be given this scope. */
export function isScope(text: string): boolean {
  return knownScopes.has(text) && !reservedForPeople.has(text);
}

/** Returns the class of a segment; undefined for one that has none. */
export function classOfSegment(segment: string): SegmentClass | undefined {
  return classes.get(segment);
}

/** The resource whose scopes open the routes of another as well, never the other way: keys made for audiences may count them. */
const openedBy: ReadonlyMap<string, string> = new Map([
  ["accountmonitorexport", "auditlog"],
  ["audiencecount", "audiences"],
  ["invitations", "people"],
]);

/**
 * Returns whether these scopes cover the one that is wanted: `read` covers the `<resource>:read` of ordinary resources, `write` likewise,
 * `admin` covers both of those that administer the account, and `audiences:read` covers `audiencecount:read`.
 */
export function coversScope(scopes: readonly string[], wanted: string): boolean {
  if (scopes.includes(wanted)) return true;
  const [resource = "", action] = wanted.split(":");
  if (action === undefined) return false;
  const broad = broadScopeOf(resource, action);
  if (broad !== undefined && scopes.includes(broad)) return true;
  const opener = openedBy.get(resource);
  return opener !== undefined && scopes.includes(`${opener}:${action}`);
}

function broadScopeOf(resource: string, action: string): string | undefined {
  switch (classes.get(resource)) {
    case "admin":
      return "admin";
    case "adminWrite":
      return action === "write" ? "admin" : action;
    case "own":
      return undefined;
    default:
      return resource === ERASURES ? "admin" : action;
  }
}
