import { ServiceError } from '../../../../plan/errors.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import {
  type DataType,
  fieldIndexes,
  type Schema,
  sameType,
  typeName,
} from '../../../../plan/types/schema.ts'
import { widen } from './widen.ts'

/** The columns of a file that do not fit into those of a table, and their types there. */
type Misfits = ReadonlyMap<string, { readonly inFile: DataType; readonly wanted: DataType }>

/** By the schemas of tables and of files. Files of one table have constants of the same names, or none has. */
const fitting = new WeakMap<Schema, WeakMap<Schema, Misfits>>()

/**
 * Throws `schema_conflict` if the type of a column in a file cannot be widened to its type in the table. `summaries` are those of the
 * files. `columns` are those that are read; null: all.
 */
export function requireFitting(
  relation: string,
  schema: Schema,
  files: readonly FileRef[],
  summaries: readonly Pick<FileSummary, 'schema'>[],
  columns: readonly string[] | null,
): void {
  const seen = fitting.get(schema) ?? new WeakMap<Schema, Misfits>()
  fitting.set(schema, seen)
  for (const [index, summary] of summaries.entries()) {
    const file = files[index]
    if (file === undefined) continue
    const misfits = seen.get(summary.schema) ?? misfitsOf(schema, file, summary)
    seen.set(summary.schema, misfits)
    if (misfits.size === 0) continue
    const misfit = [...misfits].find(([name]) => columns === null || columns.includes(name))
    if (misfit !== undefined) throw misfitError(relation, file, ...misfit)
  }
}

function misfitsOf(
  { fields }: Schema,
  { constants = {} }: FileRef,
  summary: Pick<FileSummary, 'schema'>,
): Misfits {
  const indexes = fieldIndexes(fields)
  const misfits = new Map<string, { inFile: DataType; wanted: DataType }>()
  for (const { name, type } of summary.schema.fields) {
    const wanted = fields[indexes.get(name) ?? -1]?.type
    if (wanted === undefined || Object.hasOwn(constants, name)) continue
    const wider = widen(type, wanted)
    if (wider === null || !sameType(wider, wanted)) misfits.set(name, { inFile: type, wanted })
  }
  return misfits
}

function misfitError(
  relation: string,
  { path }: FileRef,
  name: string,
  { inFile, wanted }: { readonly inFile: DataType; readonly wanted: DataType },
): ServiceError {
  return new ServiceError(
    'schema_conflict',
    `Column "${name}" is ${typeName(inFile)} in "${path}", which does not fit into ${typeName(wanted)}, its type in the table ${relation}; unless it is declared, REFRESH finds the types of all files again.`,
  )
}
