/** Random rules are valid JSON of the grammar; `value` is read as the operator says. */
export interface Rule {
  readonly and?: readonly Rule[];
  readonly or?: readonly Rule[];
  readonly not?: Rule;
  readonly exclude?: Rule;
  readonly field?: string;
  readonly op?: string;
  readonly value?: unknown;
  readonly ci?: boolean;
  readonly list?: string | number;
  readonly joined?: Window;
  readonly event?: string | readonly string[];
  readonly where?: readonly Rule[];
  readonly items?: readonly Rule[];
  readonly message?: {
    readonly id?: string;
    readonly key?: string;
    readonly tag?: string;
    readonly channel?: string;
  };
  readonly audience?: string;
  readonly cart?: "nonEmpty" | "empty" | { readonly items: readonly Rule[] };
  readonly supplement?: string;
  readonly join?: { readonly contact: string; readonly record: string };
  readonly sample?: { readonly percent: number; readonly from?: number; readonly salt?: string };
  readonly count?: Comparison;
  readonly sum?: Comparison & { readonly of: string };
  readonly within?: Window;
  readonly last?: boolean;
  readonly robots?: boolean;
  readonly order?: boolean;
  readonly status?: string | readonly string[];
}

export interface Comparison {
  readonly op: string;
  readonly value: number;
}

export interface Span {
  readonly n: number;
  readonly unit: string;
}

export interface Window {
  readonly last?: Span;
  readonly next?: Span;
  readonly from?: string;
  readonly to?: string;
  readonly between?: readonly [Span, Span];
}
