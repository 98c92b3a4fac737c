export { chooseVariant, type Experiment, waitsForChampion } from "./chooseVariant.ts";
export { decideChampion, type VariantResult } from "./decideChampion.ts";
export { stableShare } from "./stableShare.ts";
