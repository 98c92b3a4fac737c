import type { AccountSettings } from "@headwater/contracts";
import { runAtOnce, type Sliced } from "@headwater/kernel";
import type { z } from "zod";
import type { Push } from "./push.ts";
import type { Signature } from "./signature.ts";

export type PartnerName = "cohortsync" | "listsync" | "cdpsync" | "subscriptionsync" | "pipeline";

/** Ways in which a push says whose it is. */
export type PartnerAuth =
  /** A key of intake in `x-api-key`. */
  | { readonly kind: "apiKey" }
  /** The account in the path, a signature over the raw bytes in a header. */
  | ({ readonly kind: "signature" } & Signature)
  /** A key of intake inside the body, under these members. */
  | { readonly kind: "bodyKey"; readonly path: readonly string[] }
  /** Nobody is known: such a push is small. */
  | { readonly kind: "none" };

/** Statuses the given documents and `errors-and-limits.md` set for an endpoint. */
export interface PartnerStatuses {
  readonly accepted: 200 | 202;
  readonly badShape: 400 | 422;
  readonly badJson: 400 | 422;
  readonly wrongType: "UNSUPPORTED_MEDIA_TYPE" | "NOT_ACCEPTABLE";
}

/** Context of a mapping, next to the body. */
export interface MapContext {
  /** Settings of the account that was authenticated; the defaults where there is none. */
  readonly settings: AccountSettings;
  /** The account's 24 hex characters; empty where there is none. */
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Names the push where its sender gives it no name: SHA-256 of the account's id followed by the body. */
  readonly bodyHash: string;
}

/** All that one endpoint of a partner is. Its route, the OpenAPI and the tests of all endpoints follow from it. */
export interface PartnerEndpoint<Body = unknown> {
  readonly partner: PartnerName;
  /** Its folder's name, and the last fixed part of its path. */
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly auth: PartnerAuth;
  readonly statuses: PartnerStatuses;
  /** The push is one item, as a call of intake is: what is wrong with it is the call's error. */
  readonly isOneItem?: true;
  /** Value that the body's `type` must have, checked before authentication. */
  readonly wireType?: string;
  /**
   * The envelope: what is wrong here is the whole push's error. Parts in it are `unknown` and validated one by one. Open:
   * senders add members.
   */
  readonly body: z.ZodType<Body>;
  /** The body as it is sent, for the documentation, where `body` reads it out of something else. */
  readonly sentBody?: z.ZodType;
  /** A complete body as its sender makes it; a test sends it, and the documentation shows it. */
  readonly sample: object;
  /** An answer of the protocol, where it is not `{requestId, receipt}`. */
  readonly sampleAnswer?: object;
  map(body: Body, context: MapContext): Push;
  /** Maps the body, and stops between its parts: a page may have a hundred thousand of them. */
  mapInSlices(body: Body, context: MapContext): Sliced<Push>;
}

/** Describes an endpoint; one whose pushes have many parts maps them in slices. */
export interface EndpointDefinition<Body> extends Omit<PartnerEndpoint<Body>, "map" | "mapInSlices"> {
  map(body: Body, context: MapContext): Push | Sliced<Push>;
}

/** Keeps the types of a definition together; the registry forgets them again. */
export function defineEndpoint<Body>(definition: EndpointDefinition<Body>): PartnerEndpoint<Body> {
  function* mapInSlices(body: Body, context: MapContext): Sliced<Push> {
    const mapped = definition.map(body, context);
    return "parts" in mapped ? mapped : yield* mapped;
  }
  return { ...definition, mapInSlices, map: (body, context) => runAtOnce(mapInSlices(body, context)) };
}
