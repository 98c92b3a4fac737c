import { importProductsOutside, importProductsStep, productsProgress } from "../../imports/productImport.ts";
import { defineJobWithOutside } from "../../runner/jobKind.ts";

/** Imports products straight into Postgres, 1,000 a transaction: they are no records of the log. */
export const importProductsJob = defineJobWithOutside({
  jobName: "ImportProducts",
  progress: productsProgress,
  outside: importProductsOutside,
  step: importProductsStep,
});
