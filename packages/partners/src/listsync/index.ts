export { listMembership } from "./listMembership/index.ts";
