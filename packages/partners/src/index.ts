export type { MapContext, PartnerAuth, PartnerEndpoint, PartnerName, PartnerStatuses } from "./endpoint.ts";
export { type ListNames, listNamesOf } from "./listNames.ts";
export {
  type ItemPart,
  type ListChange,
  type Part,
  type PartnerList,
  type Push,
  pushOperations,
  type RefusedPart,
} from "./push.ts";
export { textAt, withoutAbsent, withoutAbsentInSlices } from "./reading.ts";
export { partnerEndpoints } from "./registry.ts";
export type { Signature, Signed } from "./signature.ts";
