export {
  type AccountDocument,
  accountsIn,
  createAccount,
  findAccount,
  findAccountByNumber,
  hasContacts,
  listAccounts,
  lockAccountDocument,
  readAccountDocument,
  readHistoryStart,
  shareAccount,
  updateAccount,
} from "./accounts.ts";
export { type ApiKeyRows, apiKeyRowsOf } from "./apiKeyRows.ts";
export { type ApiKey, createApiKey, findApiKey, listApiKeys, type NewApiKey, revokeApiKey } from "./apiKeys.ts";
export { type IssuedApiKey, issueApiKey, issueKey, type WantedApiKey } from "./issueApiKey.ts";
export { type KeyChangesOptions, listenForKeyChanges } from "./keyChanges.ts";
export { type KeyUse, type LastUseOptions, recordLastUse, writeLastUse } from "./lastUse.ts";
export { listFormerAddresses, mayHoldFormerAddresses, noteAddressesRewritten } from "./storedAddresses.ts";
export { findUsableApiKey, findUsableApiKeys, type UsableApiKey } from "./usableApiKey.ts";
