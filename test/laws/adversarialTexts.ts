/** Pieces that begin, end or part something in the languages that foreign texts are read as. */
const PIECES = [
  ...["\r\n", "\n", "\r", " ", "\t", "\u00a0", "\0", "\n ", "\r\n\t", " \r\n"],
  ..."-=<>/.,;:@\"'()[]{}\\&%#?_*+~|!^$`0a".split(""),
  ...["a@", "@a", "a.", ".a", "a ", "a:", "a=", "a;", "a,", "0.", "0a", "é", "\u{1f600}", "aA"],
  ...["<a ", "<a href=", "<a>", "</a>", "<!--", "-->", "<p>", "<style", "<style>", "<![CDATA[", "&amp;", "&#"],
  ...["{{", "{%", "}}", "{{a", "{% raw %}", "{% if a %}", "a|a", "a[", "((", "[[", "'a'", '"a"', "\\a", "\\"],
  ...["--", "--a", "---\n", "=?utf-8?b?", "=?=", "=20", "=\r\n", "%41", "\\u0061", "https://", "http://a", "//", "://"],
  ...[
    "to: ",
    "mailto:",
    "tel:",
    "a@a<",
    "+1",
    "\u200b",
    "x:\r\n ",
    "mailbox ",
    "quota",
    "spam",
    "original message",
    "0;",
    "a=b&",
    "*/*,",
    "gzip;q=0,",
    "bytes=0-,",
  ],
];

export interface AdversarialText {
  /** Says what it is made of. */
  readonly name: string;
  readonly text: string;
}

/**
 * Returns texts of a length that make a search which begins again at every position quadratic: each piece repeated, as it is, behind a
 * beginning and before an end that it does not fit.
 */
export function adversarialTexts(
  length: number,
  frames: readonly (readonly [string, string])[] = [["", ""]],
): AdversarialText[] {
  return PIECES.flatMap((piece) => {
    const repeated = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    return frames.flatMap(([before, after]) =>
      ["", "\u0001x"].map((end) => {
        const name = JSON.stringify(`${before}(${piece})${end}${after}`);
        return { name, text: `${before}${repeated}${end}${after}` };
      }),
    );
  });
}
