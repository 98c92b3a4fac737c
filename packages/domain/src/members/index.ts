export { Members } from "./members.ts";
export { toMembersDocument } from "./membersDocument.ts";
export { JsonSet, sameJson } from "./sameJson.ts";
