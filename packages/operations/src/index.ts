export { addContactsToList } from "./addContactsToList/index.ts";
export {
  addressesIn,
  addressesOfChannels,
  warningsOfAddresses,
} from "./addressWarnings.ts";
export { activityKey } from "./createContactactivities/fold.ts";
export { createContactactivities } from "./createContactactivities/index.ts";
export type { CreateContactactivitiesRecord } from "./createContactactivities/schema.ts";
export { importContact } from "./importContact/index.ts";
export { importOrder } from "./importOrder/index.ts";
export type { ImportStrategy } from "./importStrategy.ts";
export { frameSchema, type JsonSchema, subjectOf, toJsonSchema } from "./jsonSchema.ts";
export type { IntakeRecord, InternalOperation, LoggedOperation, Operation, RecordPart } from "./operation.ts";
export { placeInItem } from "./placeInItem.ts";
export {
  itemOfRecord,
  judgeRedrive,
  type RedriveContext,
  type RedriveVerdict,
  type RefusedRecord,
  redriveText,
  redriveTrial,
  tryRedrives,
} from "./redrive.ts";
export { loggedOperations, operations, validatedOperations } from "./registry.ts";
export { removeContactsFromList } from "./removeContactsFromList/index.ts";
export { setAside } from "./setAside/index.ts";
export { similarAttributeWarnings } from "./similarNames.ts";
export type { ItemWarning } from "./unknownMembers.ts";
export { upsertContact } from "./upsertContact/index.ts";
export { upsertSupplementsRecords } from "./upsertSupplementsRecords/index.ts";
export {
  type AcceptedRecord,
  compileValidation,
  type ItemVerdict,
  MESSAGE_EVENTS_SCOPE,
  type ValidationContext,
  validateItem,
} from "./validateItem.ts";
