export { listMembership } from "./listMembership/listMembership.ts";
