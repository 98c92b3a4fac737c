/** Compiles whether an activity is a machine's: an open or a click that no person made. Texts without the name are not parsed. */
export function isMachineSql(columns = ""): string {
  return `(${saysSql(`${columns}properties`, "machine")} OR ${saysSql(`${columns}device`, "robot")})`;
}

function saysSql(json: string, name: string): string {
  return `(position(${json}, '"${name}"') > 0 AND JSONExtractBool(${json}, '${name}'))`;
}
