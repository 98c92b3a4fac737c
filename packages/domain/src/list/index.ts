export type { Membership } from "./list.ts";
export { type ListTarget, listOf, writeMembership } from "./membership.ts";
