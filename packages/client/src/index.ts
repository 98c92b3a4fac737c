export type { Accepted, Warning } from "./answers.ts";
export { ClientError, type ClientErrorKind, type ErrorDetail } from "./clientError.ts";
export { type Client, type ClientState, createClient, type SendOptions, type Sent } from "./createClient.ts";
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
export type { ClientOptions } from "./options.ts";
export type { RetryEvent } from "./persist.ts";
export type { Receipt, ReceiptOptions, WaitOptions } from "./receipts.ts";
