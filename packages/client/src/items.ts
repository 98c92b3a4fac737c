/**
 * Items of each operation, as the intake API describes them. Written out, so that the package needs no other; a test compares every type
 * with the shape that the ingress checks.
 */
export interface Items {
  readonly upsertContact: Sourced & Contact;
  readonly createContactactivities: Sourced & {
    readonly contact: Contact;
    /** 1 to 100. */
    readonly contactactivities: readonly Activity[];
  };
  readonly addContactsToList: Sourced & ListedContacts & { readonly canBeCreated?: boolean | undefined };
  readonly removeContactsFromList: Sourced & ListedContacts;
  readonly addProductsToCart: Sourced & {
    readonly contact: Contact;
    /** 1 to 500. */
    readonly products: readonly CartProduct[];
    readonly cart?: Cart | undefined;
  };
  readonly removeProductsFromCart: Sourced & {
    readonly contact: Contact;
    /** 1 to 500. */
    readonly products: readonly CartProductToRemove[];
  };
  readonly upsertSupplementsRecords: Sourced & {
    /** Key of the table. */
    readonly supplement: string;
    /** 1 to 500. */
    readonly records: readonly SupplementRecord[];
  };
  readonly upsertOrder: Sourced & { readonly contact: Contact; readonly order: Order };
}

export type OperationName = keyof Items;

interface Sourced {
  /** Sender of the item, in the sender's words. */
  readonly source?: string | undefined;
  /** True: the item starts no automation; false: it may. Default true for contacts, false for all else. */
  readonly suppressTriggers?: boolean | undefined;
}

/** Name to value, for example `{email: "ann@example.com", customer_id: 7}`. */
export type Identifiers = Readonly<Record<string, string | number>>;

/** A number, or its digits as text where a double would lose some. */
export type Decimal = number | string;

export interface Contact {
  readonly identifiers: Identifiers;
  readonly identifiersPriority?: readonly string[] | undefined;
  /** Attributes to write: at least one when present. */
  readonly attributes?: Attributes | undefined;
  readonly forceSubscribe?: boolean | undefined;
  readonly mergeOptions?:
    | { readonly mergeAllowed?: boolean | undefined; readonly mergeableSecondaryKeys?: readonly string[] | undefined }
    | undefined;
  /** Attributes that are left as they are once they are set. */
  readonly restrictedUpdateAttrKeys?: readonly string[] | undefined;
  /** Creates a contact that is not known. Requires `attributes`. Default false. */
  readonly canBeCreated?: boolean | undefined;
  /** Changes attributes of a known contact. Requires `attributes`. Default false: they stay. */
  readonly canBeUpdated?: boolean | undefined;
}

export interface Attributes {
  readonly [name: string]: unknown;
  readonly channels?: Readonly<Record<string, Channel>> | undefined;
}

export interface Channel {
  readonly address?: string | undefined;
  readonly subscribeStatus?: "subscribed" | "unsubscribed" | "none" | "pending" | undefined;
  readonly subscribedAt?: string | undefined;
  readonly unsubscribedAt?: string | undefined;
}

/** Something a contact did. */
export interface Activity {
  /** Name of at most 40 characters. */
  readonly name: string;
  /** ISO 8601; without a zone it is UTC. */
  readonly time: string;
  /** Makes a repeat harmless: the same UID of one contact counts once. */
  readonly UID?: string | undefined;
  readonly geo?: Geo | undefined;
  readonly device?: Device | undefined;
  readonly properties?: FreeForm | undefined;
}

type FreeForm = Readonly<Record<string, unknown>>;

interface Geo {
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly geoLoc?: { readonly lat: number; readonly lon: number } | undefined;
}

interface Device {
  readonly type?: "Computer" | "Tablet" | "Mobile" | undefined;
  readonly device?: string | undefined;
  readonly platform?: string | undefined;
  readonly browser?: string | undefined;
  readonly ip?: string | undefined;
  readonly robot?: boolean | undefined;
}

/** Exactly one of `listName` and `listId` names the list. */
interface ListedContacts {
  /** 1 to 1,000 contacts. */
  readonly identifiers: readonly Identifiers[];
  readonly identifiersPriority?: readonly string[] | undefined;
  readonly listName?: string | undefined;
  readonly listId?: number | undefined;
}

interface CartProduct {
  readonly productID: string;
  readonly sku: string;
  /** Quantity, 1 or more. */
  readonly qty: number;
  readonly category: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly itemPrice?: Decimal | undefined;
  readonly url?: string | undefined;
  readonly images?: readonly string[] | undefined;
  readonly properties?: FreeForm | undefined;
  readonly attr?: FreeForm | undefined;
}

interface CartProductToRemove {
  readonly productID: string;
  readonly qty: number;
  /** Absent or null: taken from the product's lines in order of sku. */
  readonly sku?: string | null | undefined;
}

interface Cart {
  readonly cartID?: string | undefined;
  readonly customerID?: string | undefined;
  readonly mcID?: string | undefined;
  readonly linkID?: string | undefined;
  readonly url?: string | undefined;
  readonly expiration?: string | undefined;
  readonly tax?: Decimal | undefined;
}

interface SupplementRecord {
  readonly [field: string]: unknown;
  /** Needed unless the table makes ids itself. */
  readonly id?: string | undefined;
  readonly suppressTriggers?: boolean | undefined;
}

/** A member that is absent stays as it is, null removes it. */
export interface Order {
  readonly orderID: string;
  readonly purchaseDate: string;
  readonly status?: string | null | undefined;
  /** ISO 4217; the account's where absent. */
  readonly currency?: string | null | undefined;
  /** 1 to 1,000; they replace all items of a known order. */
  readonly items: readonly OrderItem[];
  readonly discountApplication?: { readonly type: "fixed"; readonly amount: Decimal } | null | undefined;
  readonly tax?: Decimal | null | undefined;
  readonly shippingAndHandling?: Decimal | null | undefined;
  readonly totalAmount?: Decimal | null | undefined;
  readonly shippingAddress?: Postal | null | undefined;
  readonly billingAddress?: Postal | null | undefined;
  readonly properties?: FreeForm | null | undefined;
  readonly mcID?: string | null | undefined;
  readonly msID?: string | null | undefined;
  readonly linkID?: string | null | undefined;
  readonly customerID?: string | null | undefined;
  readonly storeID?: string | null | undefined;
  /** The cart it was made of. */
  readonly cartID?: string | null | undefined;
}

export interface OrderItem {
  readonly productID: string;
  readonly sku: string;
  readonly name: string;
  readonly manufacturerName?: string | undefined;
  readonly category?: string | undefined;
  readonly description?: string | undefined;
  readonly productType?: string | undefined;
  readonly UPCCode?: string | undefined;
  readonly itemPrice?: Decimal | undefined;
  readonly salePrice?: Decimal | undefined;
  /** Default 1; negative is a return. */
  readonly qty?: number | undefined;
  readonly url?: string | undefined;
  readonly images?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly inStock?: boolean | undefined;
  readonly taxable?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  readonly properties?: FreeForm | undefined;
  readonly attr?: FreeForm | undefined;
}

interface Postal {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly country?: string | undefined;
}
