export { createIngressServer, type IngressOptions } from "./ingressServer.ts";
export { createPartnerLists } from "./partners/partnerLists.ts";
export { frameSchemas } from "./schemas.ts";
