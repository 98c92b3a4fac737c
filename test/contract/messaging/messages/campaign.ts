/** Activities and orders of some messages, as tests make them up. */
export interface Campaign {
  /** Survivor of each merged contact; 0 for one that was split off again. */
  readonly aliases: ReadonlyMap<number, number>;
  readonly activities: readonly CampaignActivity[];
  readonly orders: readonly CampaignOrder[];
}

export interface CampaignActivity {
  readonly contact: number;
  readonly action: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly ingested: number;
  readonly uid: string;
  readonly mcId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly device?: { readonly robot?: boolean } | undefined;
}

export interface CampaignOrder {
  readonly orderId: string;
  readonly contact: number;
  /** Milliseconds since 1970. */
  readonly purchasedAt: number;
  readonly counts: boolean;
  readonly deleted: boolean;
  readonly currency: string;
  /** Ten-thousandths; null for an order without a total. */
  readonly total: bigint | null;
  readonly mcID?: string | undefined;
  readonly msID?: string | undefined;
}

/** The contact that lives: of a merged one its survivor. */
export function ownerOf({ aliases }: Campaign, contact: number): number {
  return aliases.get(contact) || contact;
}
