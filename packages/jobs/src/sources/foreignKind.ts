const OTHER_KINDS: readonly { readonly magic: Buffer; readonly what: string }[] = [
  { magic: Buffer.from("%PDF-"), what: "a PDF document" },
  { magic: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), what: "an old Office file, such as .xls" },
  { magic: Buffer.from("{\\rtf"), what: "an RTF document" },
  { magic: Buffer.from("PK\u0003\u0004"), what: "a zip archive" },
  { magic: Buffer.from("PK\u0005\u0006"), what: "an empty zip archive" },
  { magic: Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), what: "a 7-Zip archive" },
  { magic: Buffer.from("Rar!"), what: "a RAR archive" },
  { magic: Buffer.from("BZh"), what: "packed by bzip2" },
  { magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), what: "packed by xz" },
  { magic: Buffer.from("SQLite format 3\0"), what: "an SQLite database" },
  { magic: Buffer.from("Obj\u0001"), what: "an Avro file" },
  { magic: Buffer.from([0x89, 0x50, 0x4e, 0x47]), what: "a PNG image" },
  { magic: Buffer.from([0xff, 0xd8, 0xff]), what: "a JPEG image" },
  { magic: Buffer.from("GIF8"), what: "a GIF image" },
];
const MARKUP: readonly { readonly begins: string; readonly what: string }[] = [
  { begins: "<!doctype html", what: "an HTML page" },
  { begins: "<html", what: "an HTML page" },
  { begins: "<table", what: "an HTML page" },
  { begins: "<!--", what: "an HTML page" },
  { begins: "<?xml", what: "an XML document" },
  { begins: "begin:vcard", what: "a vCard file" },
];
const MARKUP_CHARACTERS = 64;

/** Returns what a file is that holds no rows of text, by how it begins; undefined for any other. */
export function foreignKind(head: Buffer): string | undefined {
  const known = OTHER_KINDS.find(({ magic }) => head.subarray(0, magic.length).equals(magic));
  if (known !== undefined) return known.what;
  const text = head
    .toString("utf8", 0, MARKUP_CHARACTERS)
    .replace(/^\uFEFF/, "")
    .trimStart()
    .toLowerCase();
  return MARKUP.find(({ begins }) => text.startsWith(begins))?.what;
}

const ZIP = Buffer.from("PK\u0003\u0004");

/** Returns whether a file is a zip archive, as workbooks of spreadsheets are. */
export function isZip(head: Buffer): boolean {
  return head.subarray(0, ZIP.length).equals(ZIP);
}
