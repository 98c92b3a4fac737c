export { deleteIdlePace, type PaceAsk, type PaceGroup, slowDown, type Tokens, takeTokens } from "./pace.ts";
