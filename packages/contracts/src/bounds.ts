/** Limits of one item of intake, or of one member of it. */
export const bounds = {
  identifiersPerContact: 64,
  identifierNameCharacters: 256,
  attributeKeyBytes: 1024,
  /** Limit of every name that the sender chooses, at every level of free-form members. */
  memberNameBytes: 1024,
  eventNameCharacters: 40,
  propertiesPerEvent: 1000,
  propertiesDepth: 5,
  bodyDepth: 64,
  eventsPerBody: 100,
  contactsPerListBody: 1000,
  itemsPerOrder: 1000,
  listNameCharacters: 128,
  orderIdCharacters: 256,
  productsPerCartBody: 500,
  qtyOfCartLine: 2_147_483_647,
  /** Lines of one cart, and the characters of their JSON: a cart travels whole in one message. */
  linesPerCart: 1000,
  charactersPerCart: 512 * 1024,
  recordsPerSupplementBody: 500,
  fieldsPerSupplementRecord: 1000,
  /** Limit of a stored record's JSON, which travels whole in one message. */
  charactersPerSupplementRecord: 512 * 1024,
  supplementIndexValueBytes: 1024,
  /** Limit of an indexed array: each element is an entry of the index. */
  supplementIndexElements: 1000,
  textCharacters: 8192,
} as const;
