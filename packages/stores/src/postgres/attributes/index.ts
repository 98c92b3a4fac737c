export { type AttributeChanges, readAttributeChanges } from "./attributeChanges.ts";
export {
  type AttributeClear,
  insertAttributeClear,
  loadAttributeClears,
  lockAttributes,
  lockContactsWith,
  readAttributeClears,
  readClearsOf,
  storeDocuments,
} from "./attributeClears.ts";
export {
  type AttributeDefinition,
  countAttributes,
  deleteAttribute,
  ensureAttributes,
  loadAttributeRules,
  loadAttributes,
  lockAttribute,
  pageAttributes,
  readAttribute,
  readRetained,
  setAttribute,
  toRule,
} from "./attributeDefinitions.ts";
export { addRetainedValues, deleteRetainedValues, type RetainedValue, readRetainedValues } from "./retainedValues.ts";
