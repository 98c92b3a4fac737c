/** A key with the version of the write that is lost. */
interface Lost {
  readonly account: number;
  readonly version: string;
}

/** Subjects of change events that Postgres does not know. */
export interface LostChanges {
  /** Contacts that were written, merged, or became another's alias. */
  readonly contacts: readonly { readonly account: number; readonly number: number }[];
  readonly contactVersions: readonly (Lost & { readonly contact: number })[];
  readonly memberships: readonly (Lost & { readonly list: number; readonly contact: number })[];
  readonly orders: readonly (Lost & { readonly orderId: string })[];
  readonly carts: readonly (Lost & { readonly contact: number })[];
  readonly records: readonly (Lost & { readonly supplement: number; readonly id: string })[];
}
