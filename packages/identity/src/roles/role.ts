import type { Role } from "@headwater/contracts";

/** Rights of a role, in words and in scopes. */
export interface RoleRights {
  readonly description: string;
  readonly scopes: readonly string[];
  /** The only operations that it may call, of those that its scopes open. Absent = all of them. */
  readonly operations?: readonly string[];
}

/** Everything, erasures and people included: that only owners make owners is a rule of the routes of people. */
const ALL = ["read", "write", "admin", "approvals:read", "approvals:write"];

const rights: Readonly<Record<Role, RoleRights>> = {
  owner: { description: "Everything. Only owners make owners, and the last one cannot go.", scopes: ALL },
  admin: { description: "Everything but owners.", scopes: ALL },
  marketer: {
    description: "Reads and writes everything but settings, keys, transports, webhooks, people and erasures.",
    scopes: ["read", "write", "approvals:read", "approvals:write"],
  },
  analyst: {
    description: "Reads everything that marketers read; saves audiences, uploads files and stops jobs.",
    scopes: ["read", "audiences:write", "uploads:write", "jobs:write"],
  },
  operator: {
    description:
      "Runs dead letters, jobs, data jobs and alerts; reads accounting, freshness, settings and the audit log.",
    scopes: [
      ...["alerts", "datajobs", "deadletters", "jobs"].flatMap((name) => [`${name}:read`, `${name}:write`]),
      ...["account", "accounting", "auditlog", "freshness", "receipts"].map((name) => `${name}:read`),
    ],
  },
  viewer: {
    description: "Numbers alone: counts, programs, freshness and accounting. No contact, file or record.",
    scopes: ["accounting:read", "audiencecount:read", "freshness:read", "programs:read"],
    operations: [
      ...["countAudience", "getAccounting", "getFreshness", "getHealth", "listRoles", "whoami"],
      ...["getProgram", "getProgramsummary", "listPrograms", "listProgramstats"],
    ],
  },
};

/** Returns what a role may do. */
export function rightsOf(role: Role): RoleRights {
  return rights[role];
}

/** Returns the scopes of a role: the most that a person who has it, and whatever acts for that person, may use. */
export function scopesOf(role: Role): readonly string[] {
  return rights[role].scopes;
}
