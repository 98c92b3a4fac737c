export { type BanditResult, banditShares } from "./banditShares.ts";
export { chooseAutomatedVariant, chooseVariant, type Experiment, waitsForChampion } from "./chooseVariant.ts";
export { decideChampion } from "./decideChampion.ts";
export { type ExperimentGoal, goalCriteria } from "./goalCriteria.ts";
export { stableShare } from "./stableShare.ts";
export {
  FIRST_SEND_LOOKED_FOR_EVERY_MS,
  firstLookAfterMs,
  testLengthMs,
  WEIGHTS_RENEWED_AFTER_MS,
} from "./timings.ts";
