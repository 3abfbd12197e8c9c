import { ServiceError } from '../../../../plan/errors.ts'

/** The most bytes of a name in UTF-8 (`NC_MAX_NAME` is 256, with the end of the text). */
const MAX_NAME_BYTES = 255

/**
 * The names of variables for columns, in the composed form that the netCDF library looks for. Throws `not_supported` for a name that
 * it would not find or could not tell from another one.
 */
export function variableNames(columns: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return columns.map((column) => {
    const name = column.normalize('NFC')
    const fault = nameFault(name) ?? (seen.has(name) ? 'another column has it' : null)
    if (fault !== null) throw refusedName(column, fault)
    seen.add(name)
    return name
  })
}

/** The error about the name of a column. `fault` says why it cannot be that of a variable. */
export function refusedName(column: string, fault: string): ServiceError {
  return new ServiceError(
    'not_supported',
    `output.format: column ${JSON.stringify(column)} cannot have this name in a NetCDF file: ${fault}; give it an alias`,
  )
}

/** Why a text is no name of a variable or an attribute, by the rules of the netCDF library. Null: it is one. */
export function nameFault(name: string): string | null {
  if (name === '') return 'it is empty'
  if (!/^[A-Za-z0-9_\u0080-\uffff]/.test(name))
    return 'it begins with a character that is no letter, digit or _'
  if (name.includes('/')) return 'it has a slash'
  if (hasControl(name)) return 'it has a control character'
  if (name.endsWith(' ')) return 'it ends in a space'
  const bytes = Buffer.byteLength(name)
  return bytes > MAX_NAME_BYTES ? `it has ${bytes} bytes, and at most ${MAX_NAME_BYTES} are allowed` : null
}

function hasControl(name: string): boolean {
  return [...name].some((character) => character < ' ' || character === '\u007f')
}
