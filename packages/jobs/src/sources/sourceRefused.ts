/** A source cannot be read, whatever is tried: it is damaged, or passes a limit. The message is for whoever imports it. */
export class SourceRefused extends Error {}
