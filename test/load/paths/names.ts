/** What `--path` may name, in the order they are run. */
export const pathNames = [
  "ingress",
  "singles",
  "state-new",
  "state-update",
  "operations",
  "activities",
  "overload",
  "visible",
  "audience",
  "reads",
  "pages",
  "searches",
  "writes",
] as const;
export type PathName = (typeof pathNames)[number];
