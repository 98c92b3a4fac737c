/** Kinds of soft bounces. `policy` is about the sender; `unknown` is a report whose words nobody knows. */
export type SoftBounceKind = "full" | "size" | "policy" | "other" | "unknown";

/** A refusal for good: of a server in its dialogue, or of a report. */
export interface RefusalText {
  /** Enhanced status codes (RFC 3463), such as `5.1.1`: the one that counts first, and others that the answer has. */
  readonly enhanced: readonly string[];
  /** Words of the server. */
  readonly text: string;
}

export type Refusal =
  | { readonly kind: "hard" }
  | { readonly kind: "soft"; readonly bounce: SoftBounceKind }
  /** Neither the code nor the words say why. */
  | { readonly kind: "unsaid" };

/** Characters of an answer that are read. */
const CHARACTERS_READ = 4_096;
const POLICY: Refusal = { kind: "soft", bounce: "policy" };
const FULL: Refusal = { kind: "soft", bounce: "full" };
const SIZE: Refusal = { kind: "soft", bounce: "size" };
const HARD: Refusal = { kind: "hard" };

/**
 * Returns what a refusal means. What is about the sender says nothing about the recipient: no address is suppressed for it. An exact code decides, but where
 * the words speak of the sender alone.
 */
export function refusalOf({ enhanced, text }: RefusalText): Refusal {
  const parts = enhanced.map((code) => code.split(".").slice(1).join("."));
  if (parts.some((part) => part.startsWith("7.") || part === "1.7" || part === "1.8")) return POLICY;
  if (parts.includes("2.2")) return FULL;
  if (parts.includes("2.3") || parts.includes("3.4")) return SIZE;
  const words = serverWords(text);
  const isGone = says(words, GONE);
  const around = text.slice(0, CHARACTERS_READ);
  if (SENDER_STEP.test(around)) return POLICY;
  const isAboutSender = says(words, ABOUT_SENDER) || BLOCK_LIST.test(around);
  if (saysFull(words)) return FULL;
  if (says(words, TOO_LARGE)) return SIZE;
  if (NO_RECIPIENT.test(around)) return HARD;
  const [first = ""] = parts;
  if (first.startsWith("1.") || first === "2.1") return isAboutSender && !isGone ? POLICY : HARD;
  if (isAboutSender) return POLICY;
  return isGone ? HARD : { kind: "unsaid" };
}

/** Words about us: who sends, from where, and what. */
const ABOUT_SENDER = [
  /\bsender\b/i,
  /\brelay(?:ing)?\b(?! recipient)/i,
  /\b(?:rbl|dnsbl|block(?:ed|ing|list|listed)?|black ?list(?:ed|ing)?|deny ?list(?:ed)?|banned)\b/i,
  /(?<!\bnot )\blisted (?:in|on|at|by)\b/i,
  /\b(?:spam|spammers?|spamming|junk|bulk|unsolicited|reputation|policy|policies|virus|viruses|malware|phishing|abuse|abusive|suspicious)\b/i,
  /\b(?:dmarc|dkim|spf|reverse (?:dns|host ?name)|rdns|ptr|helo|ehlo|protocol (?:violation|error))\b/i,
  /\b(?:client host rejected|rcpthosts|spamhaus|spamcop|spamrats|uceprotect|gr[ae]y ?list(?:ed|ing)?|administrative(?:ly)? prohibit(?:ion|ed))\b/i,
  /\byour (?:host ?name|ip|isp|server|mail server|network|provider)\b|\bnot (?:allowed|permitted) to send\b/i,
  /\bverif(?:y|ication) failed\b|\b(?:daily|hourly|sending) limit\b/i,
  /\b(?:unauthenticated|unauthori[sz]ed|not authori[sz]ed|not authenticated|authentication (?:is )?required|access denied)\b/i,
  /\b(?:content|message) (?:was |has been )?(?:rejected|denied|filtered)\b/i,
  /\btoo many (?:(?:bad|invalid|unknown) )?(?:recipients|messages|mails|emails|connections)\b|\bat a rate\b|\brate limit/i,
] as const;
/** Steps of the dialogue at which only the sender is known. */
const SENDER_STEP = /\b(?:after|reply to) (?:mail from|ehlo|helo|starttls)\b/i;
/** Block lists whose address in an answer says enough, whatever else it says. */
const BLOCK_LIST =
  /\b(?:spamhaus|spamcop|sorbs|barracudacentral|uribl|surbl|abuseat|invaluement|mailspike|psbl|senderscore|senderbase|spamrats|uceprotect)\.(?:org|net|com)\b/i;
/** Exchange Online's words about a recipient that is not in its directory. */
const NO_RECIPIENT = /\b5\.4\.1 recipient address rejected: access denied\b/i;
/** Words about a recipient that does not exist, or no longer. */
const GONE = [
  /\b(?:unknown|invalid|no such|no) (?:local )?(?:user|recipient|mailbox|address|account|person|addressee|local part)\b/i,
  /\b(?:user|recipient|mailbox|address|account|addressee|name)s? (?:name |address |account )?(?:is |was |are |has been |have been )?(?:unknown|invalid|not valid|not found|not recogni[sz]ed|unavailable|not available|inactive|disabled|deactivated|suspended|terminated|closed|not known|not listed)\b/i,
  /\b(?:does not|doesn't|do not|did not) exist/i,
  /\bcould(?: not|n't) (?:be found\b|find (?:a|any|the) (?:host|domain|user|mailbox|address|recipient)\b)/i,
  /\bnon-?existent (?:hosts?|domain|user|mailbox|address|recipient)\b/i,
  /\b(?:was|were)(?: not|n't) found\b/i,
  /\bdoesn't have an? (?:\S{1,60} )?account\b/i,
  /\bnot listed in\b/i,
  /\bno longer (?:accepts?|accepting|available|active|valid|in use|exists|works)\b/i,
  /\bnot a (?:valid|known|local) (?:user|recipient|mailbox|address|account)\b/i,
  /\bno mailbox\b/i,
] as const;

const TOO_LARGE = [
  /\b(?:message|mail|e-mail|attachment)s? (?:is |was |are )?too (?:large|big)\b/i,
  /\bmessage (?:size )?(?:is |was )?exceed(?:s|ed|ing)? (?:the )?(?:fixed |administrative )?(?:maximum|max|limit|size)\b/i,
] as const;

function says(words: string, patterns: readonly RegExp[]): boolean {
  return patterns.some((pattern) => pattern.test(words));
}

const OVER_QUOTA = /\bover ?quota\b/i;
const STORE = /\b(?:mail ?box|mail ?folder|inbox|quota|storage|disk|postfach)\b/gi;
/** Words behind a mailbox that is full, within so many characters. */
const IS_FULL = /full|exceed|insufficient|voll|überschritten/i;
const FULL_CHARACTERS = 46;

function saysFull(words: string): boolean {
  if (OVER_QUOTA.test(words)) return true;
  return [...words.matchAll(STORE)].some(({ 0: word, index }) => {
    const from = index + word.length;
    return IS_FULL.test(words.slice(from, from + FULL_CHARACTERS));
  });
}

/** Words before a subject that a report quotes. */
const TITLE = /\b(?:subject|message|mail|titled)\b/i;
const TITLE_CHARACTERS = 30;
const QUOTE = /["“”]/;
const NAME = /^\W{0,3}(?:https?:|[\w-]{1,63}\.[\w-]{1,63})/i;
/** Words of reports about what became of the mail. */
const RETURNED = /\b(?:to|original|by) (?:the |its |message )?sender\b/gi;
const SAID = " said: ";

/**
 * Returns the server's sentence: without names of hosts, addresses and quoted subjects, whose words are not its own, and without what stands
 * before `host … said:`.
 */
function serverWords(text: string): string {
  const read = text.slice(0, CHARACTERS_READ);
  const said = read.lastIndexOf(SAID);
  const own = said < 0 ? read : read.slice(said + SAID.length);
  return withoutTitles(own)
    .split(/\s+/)
    .filter((word) => !word.includes("@") && !NAME.test(word))
    .join(" ")
    .replaceAll(RETURNED, " ");
}

function withoutTitles(text: string): string {
  const parts = text.split(QUOTE);
  const isTitle = (at: number) => at % 2 === 1 && TITLE.test((parts[at - 1] ?? "").slice(-TITLE_CHARACTERS));
  return parts.filter((_, at) => !isTitle(at)).join(" ");
}
