/** Regular expressions of texts that a spreadsheet would take for a formula, for ClickHouse and here alike. Marks that stand before count for nothing. */
export const FORMULA = "^'*[=@\\t\\r]";
export const SIGNED = "^'*[+-]";
/** A number, or a phone number: what begins with a sign and is neither may be a formula. */
export const PLAIN_SIGNED = "^'*[+-]?(?:[0-9]+(?:[.][0-9]+)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$|^'*[+][0-9][0-9 ().-]*$";

const MARK = "'";
const [formula, signed, plainSigned] = [FORMULA, SIGNED, PLAIN_SIGNED].map((pattern) => new RegExp(pattern));

/**
 * Takes the mark away that an export puts before texts which a spreadsheet would take for a formula, and before those that look marked already:
 * what was exported comes back as it was.
 */
export function unmarked(text: string): string {
  return text.startsWith(MARK) && isFormula(text) ? text.slice(MARK.length) : text;
}

/** Puts the mark of exports before a text that needs it. */
export function marked(text: string): string {
  return isFormula(text) ? MARK + text : text;
}

function isFormula(text: string): boolean {
  return formula?.test(text) === true || (signed?.test(text) === true && plainSigned?.test(text) === false);
}
