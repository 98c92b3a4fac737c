export { selectRecords } from "./selectRecords.ts";
