export {
  countSuppressions,
  deleteSuppression,
  forgetSuppressed,
  lift,
  liftAll,
  type NewSuppression,
  pageSuppressions,
  type StoredSuppression,
  type SuppressedChannel,
  type SuppressionReason,
  type SuppressionsPage,
  suppress,
  suppressedAmong,
} from "./suppressions.ts";
export { domainOf, type SuppressionTarget } from "./targets.ts";
