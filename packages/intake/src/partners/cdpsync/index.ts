export { audienceMembershipChange } from "./audienceMembershipChange/audienceMembershipChange.ts";
export { audienceSubscription } from "./audienceSubscription/audienceSubscription.ts";
export { eventProcessing } from "./eventProcessing/eventProcessing.ts";
export { moduleRegistration } from "./moduleRegistration/moduleRegistration.ts";
