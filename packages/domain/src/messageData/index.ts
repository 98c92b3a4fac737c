export { fitsConditions, selectRecords } from "./selectRecords.ts";
