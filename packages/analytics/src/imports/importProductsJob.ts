import { defineJobWithOutside } from "@headwater/jobs/runner/jobKind";
import { importProductsOutside, importProductsStep, productsProgress } from "./productImport.ts";

/** Imports products straight into Postgres, 1,000 a transaction: they are no records of the log. */
export const importProductsJob = defineJobWithOutside({
  jobName: "ImportProducts",
  progress: productsProgress,
  outside: importProductsOutside,
  step: importProductsStep,
});
