export { audienceMembershipChange } from "./audienceMembershipChange/index.ts";
export { audienceSubscription } from "./audienceSubscription/index.ts";
export { eventProcessing } from "./eventProcessing/index.ts";
export { moduleRegistration } from "./moduleRegistration/index.ts";
