export { type ApiKeysUnderTest, apiKeyRowsContract } from "./apiKeyRowsContract.ts";
export { createTestAuthority, createTestCertificate, type TestAuthority, type TestCertificate } from "./certificate.ts";
export { createTestChain, type LeafWanted, type TestChain } from "./certificateChain.ts";
export { countersWithoutSeries } from "./countersWithoutSeries.ts";
export { type CountsUnderTest, logCountsContract } from "./logCountsContract.ts";
export { MemoryApiKeys } from "./memoryApiKeys.ts";
export { MemoryCounts } from "./memoryCounts.ts";
export { MemoryOutbox } from "./memoryOutbox.ts";
export { MemoryParked } from "./memoryParked.ts";
export { type MemoryPostgres, startMemoryPostgres } from "./memoryPostgres/memoryPostgres.ts";
export { MemoryProducts } from "./memoryProducts.ts";
export { MemoryRanges } from "./memoryRanges.ts";
export { MemoryState, type VersionedRecord } from "./memoryState/memoryState.ts";
export { MemoryStateStore } from "./memoryState/memoryStateStore.ts";
export { checksumOfMigrations } from "./migrationSources.ts";
export { type OutboxUnderTest, outboxContract } from "./outboxContract.ts";
export { deadLetterRow, type ParkedUnderTest, parkedContract, parkedRow } from "./parkedContract.ts";
export { postgresContract } from "./postgresContract.ts";
export { type ProductsUnderTest, productStoreContract } from "./productStoreContract.ts";
export { type RangesUnderTest, rangesContract } from "./rangesContract.ts";
export { useServices } from "./realServices.ts";
export { seedFrom } from "./seed.ts";
export {
  type SmtpAction,
  type SmtpCommand,
  type SmtpRule,
  type SmtpServerOptions,
  smtpCommands,
} from "./smtp/smtpRules.ts";
export { startSmtpServer, type TakenMail, type TestSmtpServer } from "./smtp/startSmtpServer.ts";
export { type StateUnderTest, stateStoreContract } from "./stateStoreContract.ts";
export {
  accepted,
  refused,
  type StubAnswer,
  type StubCall,
  type StubReply,
  startStubApi,
} from "./stubApi.ts";
export { createTcpProxy, type ProxyMode, socketsThrough, type TcpProxy } from "./tcpProxy.ts";
