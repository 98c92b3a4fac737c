export { type PresentCursor, type PresentPage, readPresentKeys } from "./presentKeys.ts";
export {
  insertV2Write,
  type RecordPlace,
  readLastV2Version,
  readRefusedAt,
  readV2Writes,
  takeV2WriteNumbers,
  type V2Write,
} from "./writeOrigins.ts";
