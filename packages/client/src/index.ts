export { type Accepted, readRefusal, toMembers, type Warning } from "./answers.ts";
export { ClientError, type ClientErrorKind, type ErrorDetail } from "./clientError.ts";
export { type Client, type ClientState, createClient, type SendOptions, type Sent } from "./createClient.ts";
export { type AnswerParts, type Exchange, exchange, type Request } from "./exchange.ts";
export type {
  Activity,
  Attributes,
  Channel,
  Contact,
  Identifiers,
  Items,
  OperationName,
  Order,
  OrderItem,
} from "./items.ts";
export { batchItemsMax } from "./operations.ts";
export { type ClientOptions, readKey, readUrl } from "./options.ts";
export { persist, type RetryEvent } from "./persist.ts";
export type { Receipt, ReceiptOptions, WaitOptions } from "./receipts.ts";
export { readRetryAfter } from "./retry.ts";
