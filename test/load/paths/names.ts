/** Names for `--path`, in the order they run. */
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
  "compose",
  "sends",
  "send-rate",
  "chunks",
  "template-sends",
  "clicks",
  "message-stats",
] as const;
export type PathName = (typeof pathNames)[number];
