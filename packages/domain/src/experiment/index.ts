export { type BanditResult, banditShares } from "./banditShares.ts";
export { chooseAutomatedVariant, chooseVariant, type Experiment, waitsForChampion } from "./chooseVariant.ts";
export { decideChampion } from "./decideChampion.ts";
export { type ExperimentGoal, goalCriteria } from "./goalCriteria.ts";
export { stableShare } from "./stableShare.ts";
