export type { Membership } from "./list.ts";
export { type Joining, listsPassed } from "./listBound.ts";
export { type ListTarget, listOf, liveMembership, writeMembership } from "./membership.ts";
