export { Members } from "./members.ts";
export { toMembersDocument } from "./membersDocument.ts";
export { sameJson } from "./sameJson.ts";
