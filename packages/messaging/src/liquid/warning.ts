/** Something that an engine left out of what it rendered. */
export interface LiquidWarning {
  readonly code: "missing_value" | "not_a_date" | "unknown_zone" | "object_in_text";
  readonly message: string;
}

export type OnLiquidWarning = (warning: LiquidWarning) => void;
