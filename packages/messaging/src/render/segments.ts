const GSM_BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Characters that take two places (3GPP TS 23.038). */
const GSM_EXTENDED = new Set("^{}\\[~]|€\f");

/** Returns in how many short messages a text goes out: 160 or 153 characters of GSM-7 each, else 70 or 67 of UCS-2. */
export function smsSegments(text: string): number {
  const characters = [...text];
  const isGsm = characters.every((one) => GSM_BASIC.has(one) || GSM_EXTENDED.has(one));
  const lengths = characters.map((one) => (isGsm ? (GSM_EXTENDED.has(one) ? 2 : 1) : one.length));
  const [single, part] = isGsm ? [160, 153] : [70, 67];
  if (lengths.reduce((sum, length) => sum + length, 0) <= single) return 1;
  let segments = 1;
  let used = 0;
  for (const length of lengths) {
    // A character of two places is never cut in two.
    if (used + length > part) {
      segments += 1;
      used = 0;
    }
    used += length;
  }
  return segments;
}
