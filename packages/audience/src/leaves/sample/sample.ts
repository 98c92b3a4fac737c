export interface SampleLeaf {
  readonly kind: "sample";
  readonly path: string;
  readonly salt: string;
  /** Range in parts of the whole; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  /** Parts of the whole: 100,000,000. Absent in criteria that messages and jobs stored when ranges had 10,000 of them. */
  readonly whole?: number;
}
