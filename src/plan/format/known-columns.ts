import { type DataType, typeName } from '../types/schema.ts'
import { csvType } from './csv-types.ts'
import { type FileFormat, fileFormat } from './file-format.ts'

/**
 * The option of text whose columns have types in a table. No request sets it. `known`: the schema of a file has its names and the type Null,
 * and no rows are read for it. `checked`: a column has the type that `types` gives it if the sample can be read as that, else the inferred one.
 */
export const TABLE_TYPES = 'table_types'

/** The format for files whose columns have known types, in which they are read. */
export function withKnownTypes(format: FileFormat): FileFormat {
  if (format.layout !== 'text') return format
  const { kind, layout, options } = format
  return fileFormat(kind, layout, { ...options, [TABLE_TYPES]: 'known' })
}

/** The format for finding out whether columns can be read as declared types. Types that text has not are left out. */
export function withCheckedTypes(
  format: FileFormat,
  columns: readonly { readonly name: string; readonly type: DataType }[],
): FileFormat {
  if (format.layout !== 'text') return format
  const { kind, layout, options } = format
  const types = columns.flatMap(({ name, type }): [string, string][] =>
    csvType(typeName(type)) === null ? [] : [[name, typeName(type)]],
  )
  return fileFormat(kind, layout, { ...options, types: Object.fromEntries(types), [TABLE_TYPES]: 'checked' })
}
