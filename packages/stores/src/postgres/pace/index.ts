export { deleteIdlePace, type PaceAsk, slowDown, type TimedGrant, takeTokens } from "./pace.ts";
