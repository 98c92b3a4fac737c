/**
 * Something of an accepted item that its sender should know: a member that no shape names and that was ignored, an address that is none,
 * a free name that is nearly a known one, or an identifier that says that there is no value.
 */
export interface ItemWarning {
  readonly path: string;
  readonly code: "unknown_member" | "not_an_address" | "similar_name" | "missing_value";
  readonly message: string;
  readonly suggestion?: string;
}
