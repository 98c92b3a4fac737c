/** The set of contacts for which the leaf's test holds, and whether the leaf wants its complement. */
export interface LeafSet {
  readonly set: string;
  readonly complement: boolean;
}
