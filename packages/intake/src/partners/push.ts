import type { ErrorDetail, RejectionCode } from "@headwater/contracts";

/** Operations that a push may become. The ingress validates each; a test compares the two. */
export const pushOperations = [
  "upsertContact",
  "createContactactivities",
  "addContactsToList",
  "removeContactsFromList",
  "addProductsToCart",
  "removeProductsFromCart",
  "upsertSupplementsRecords",
  "upsertOrder",
  "setOrderStatus",
  "mergeContacts",
  "clearList",
] as const;
export type PushOperation = (typeof pushOperations)[number];

/** Most parts of a push: a mapping stops there, for they are more records than a push may have. */
export const PARTS_MAX = 200_000;

/** A list as a partner knows it. It is found by the partner's id first, then by its name. */
export interface PartnerList {
  /** The partner's id of it. */
  readonly externalId: string;
  /** Its name in the partner's words. */
  readonly name: string;
  /** An unknown list is created; otherwise the part does nothing. */
  readonly isMade: boolean;
}

/** A part of a push that is an item of an operation. It is validated as items of intake are. */
export interface ItemPart {
  readonly kind: "item";
  /** JSON pointer into the push. */
  readonly path: string;
  /** Path in the body of what stands at `path`: reasons point into the push as the partner sent it. */
  readonly inner?: string;
  /** Paths below `inner` that have other names in the push: `{"/name": "/action"}`. */
  readonly sentAs?: Readonly<Record<string, string>>;
  readonly operation: PushOperation;
  /** A body of the operation. The ingress adds `listId` or `listName` for `list`. */
  readonly body: object;
  readonly list?: PartnerList;
  /** The partner's own name of it: what comes again under it within 72 h is not applied again. */
  readonly once?: string;
}

/** A part that no item can be made of. It is recorded with its reason, and its neighbours go on. */
export interface RefusedPart {
  readonly kind: "refused";
  readonly path: string;
  readonly verdict: "rejected" | "skipped";
  readonly code: RejectionCode;
  readonly message: string;
  /** The part as it was sent. */
  readonly part: unknown;
}

export type Part = ItemPart | RefusedPart;

/** Change of a list itself, made at once. */
export interface ListChange {
  readonly kind: /** Made, or found: one that was made before is answered. An archived one is fed again. */
    | "make"
    /** Gets the name, if the partner has another one for it now. */
    | "rename"
    /** Kept, but no longer fed. */
    | "archive";
  readonly list: PartnerList;
  /** The partner's own name of the change: what comes again under it within 72 h changes nothing. */
  readonly once: string;
}

/** Result of mapping a push. */
export interface Push {
  readonly parts: readonly Part[];
  /** Mistakes beyond the shape, such as a missing member that it cannot require: the whole push is refused. */
  readonly wrong?: readonly [ErrorDetail, ...ErrorDetail[]];
  /** Names the push for its sender's repeats: one that was written is answered again and not written again. */
  readonly page?: string;
  /** The sender's own name of the push: what is refused of it is recorded once in 72 h, however often it comes. */
  readonly name?: string;
  readonly listChange?: ListChange;
  /** The protocol's own answer, where it is not `{requestId, receipt}`. `listId` is that of `listChange`. */
  answer?(done: { readonly listId: number | undefined }): object;
}

/** Makes a part that is refused, with its reason. */
export function refusedPart(
  path: string,
  part: unknown,
  message: string,
  code: RejectionCode = "VALIDATION_ERROR",
): RefusedPart {
  return { kind: "refused", verdict: "rejected", code, path, part, message };
}

/** A part that becomes no record: it is counted, with the reason. */
export function passedOver(path: string, part: unknown, message: string): RefusedPart {
  return { kind: "refused", verdict: "skipped", code: "VALIDATION_ERROR", path, part, message };
}
