/** Name of the encoding that plain sources have. */
export const UTF_8 = "utf-8";

/** A cell of a text: quoted ones are texts, whatever they look like. */
export interface Cell {
  readonly text: string;
  readonly isQuoted: boolean;
}

interface RowPlace {
  /** Position among the data rows, from 0. */
  readonly index: number;
  /** Line of the source it begins on, from 1. */
  readonly line: number;
}

/** A row as it stands in the source. */
export type Row = RowPlace &
  (
    | { readonly kind: "cells"; readonly cells: readonly Cell[] }
    | { readonly kind: "object"; readonly members: Readonly<Record<string, unknown>> }
    /** It cannot be read. `shown`: how it begins. */
    | { readonly kind: "broken"; readonly message: string; readonly shown: string }
  );

/** Position where reading goes on: the byte, the line and the data row that come next. */
export interface RowPosition {
  readonly offset: number;
  readonly line: number;
  readonly index: number;
}

export interface RowsRead {
  readonly rows: readonly Row[];
  readonly next: RowPosition;
}

/** Form of a plain UTF-8 text. */
export interface TextForm {
  readonly format: "csv" | "jsonl";
  /** One character; empty for lines of JSON. */
  readonly delimiter: string;
  /** Any number of blanks stands between two cells. */
  readonly isAligned?: boolean | undefined;
  readonly newline: "\n" | "\r";
  /** Texts have the mark that keeps a spreadsheet from taking them for formulas. */
  readonly isFormulaSafe?: boolean | undefined;
  /** It was written in another encoding: what that could not mean stands as U+FFFD. */
  readonly isDecoded?: boolean | undefined;
}
