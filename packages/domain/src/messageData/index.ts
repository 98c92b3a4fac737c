export { ComparisonBudget, type ComparisonPot } from "./comparisonBudget.ts";
export { fitsConditions, selectRecords } from "./selectRecords.ts";
