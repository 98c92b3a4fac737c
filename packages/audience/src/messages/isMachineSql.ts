/** Compiles whether an activity is a machine's: an open or a click that no person made. */
export function isMachineSql(columns = ""): string {
  return `(JSONExtractBool(${columns}properties, 'machine') OR JSONExtractBool(${columns}device, 'robot'))`;
}
