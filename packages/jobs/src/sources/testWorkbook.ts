import { strToU8, zipSync } from "fflate";

/** A cell of a test's sheet: a date is its serial number in the style of dates. */
export type TestCell = string | number | boolean | { readonly serial: number } | null;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

/** Creates an `.xlsx` file as spreadsheets write it, with a second sheet that nobody reads. @param moreRows XML of the first sheet. */
export function workbookOf(
  rows: readonly (readonly TestCell[])[],
  moreRows = "",
  doctype = "",
): Uint8Array<ArrayBuffer> {
  const texts = [...new Set(rows.flat().filter((cell) => typeof cell === "string"))];
  return new Uint8Array(
    zipSync({
      "[Content_Types].xml": strToU8(
        `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
      ),
      "xl/workbook.xml": strToU8(
        `${HEAD}<workbook ${MAIN} xmlns:r="${RELATIONS}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="2" r:id="rId2"/></sheets></workbook>`,
      ),
      "xl/_rels/workbook.xml.rels": strToU8(
        `${HEAD}<Relationships xmlns="${PACKAGE}">${relation(1, "worksheet", "worksheets/sheet1.xml")}${relation(2, "worksheet", "worksheets/sheet2.xml")}${relation(3, "styles", "styles.xml")}${relation(4, "sharedStrings", "sharedStrings.xml")}</Relationships>`,
      ),
      "xl/styles.xml": strToU8(
        `${HEAD}<styleSheet ${MAIN}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
      ),
      "xl/sharedStrings.xml": strToU8(
        `${HEAD}<sst ${MAIN}>${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`,
      ),
      "xl/worksheets/sheet1.xml": strToU8(sheetOf(rows, texts, { moreRows, doctype })),
      "xl/worksheets/sheet2.xml": strToU8(sheetOf([["secret"]], ["secret"])),
    }),
  );
}

function relation(id: number, type: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
}

function sheetOf(
  rows: readonly (readonly TestCell[])[],
  texts: readonly string[],
  { moreRows = "", doctype = "" } = {},
): string {
  const lines = rows.map((row, index) => {
    const cells = row.map((cell, position) => cellOf(cell, `${columnName(position)}${index + 1}`, texts));
    return `<row r="${index + 1}">${cells.join("")}</row>`;
  });
  return `${HEAD}${doctype}<worksheet ${MAIN}><sheetData>${lines.join("")}${moreRows}</sheetData></worksheet>`;
}

function cellOf(cell: TestCell, at: string, texts: readonly string[]): string {
  if (cell === null) return "";
  if (typeof cell === "string") return `<c r="${at}" t="s"><v>${texts.indexOf(cell)}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  return typeof cell === "number" ? `<c r="${at}"><v>${cell}</v></c>` : `<c r="${at}" s="1"><v>${cell.serial}</v></c>`;
}

function columnName(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : columnName(Math.floor(place / 26) - 1) + last;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
