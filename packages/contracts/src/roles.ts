/** Roles of people in an account, the widest first. */
export const roles = ["owner", "admin", "marketer", "analyst", "operator", "viewer"] as const;
export type Role = (typeof roles)[number];
