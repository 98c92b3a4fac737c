export { type BanditResult, banditShares } from "./banditShares.ts";
export { chooseVariant, type Experiment, waitsForChampion } from "./chooseVariant.ts";
export { decideChampion } from "./decideChampion.ts";
export { stableShare } from "./stableShare.ts";
