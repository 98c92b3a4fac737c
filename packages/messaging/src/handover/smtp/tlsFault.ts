import type { SmtpError } from "./smtpFailure.ts";

const OF_TLS = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO/;
const UNTRUSTED = "No authority that is trusted here vouches for the server's certificate.";
/** Codes of OpenSSL and Node for certificates that are not taken. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet.",
  CERT_REVOKED: "The server's certificate was revoked.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another host name.",
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** Returns why a connection could not be encrypted; undefined for errors of other kinds. A certificate's fault comes as that of a socket. */
export function tlsFaultOf(error: SmtpError): string | undefined {
  const { code = "", command = "" } = error;
  const original = String(Reflect.get(error, "originalCode") ?? "");
  if (code !== "ETLS" && command !== "STARTTLS" && !OF_TLS.test(original)) return undefined;
  return REASONS[original] ?? "The connection to the server cannot be encrypted.";
}
