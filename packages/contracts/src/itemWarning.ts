/**
 * Something of an accepted item that its sender should know: a member that no shape names and that was ignored, an address that is none, or
 * a free name that is nearly a known one.
 */
export interface ItemWarning {
  readonly path: string;
  readonly code: "unknown_member" | "not_an_address" | "similar_name";
  readonly message: string;
  readonly suggestion?: string;
}
