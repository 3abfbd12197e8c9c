import { ServiceError } from '../../../../plan/errors.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { fieldIndexes, type Schema, sameType, typeName } from '../../../../plan/types/schema.ts'
import { widen } from './widen.ts'

/** The schemas of files that fit into that of a table. Files of one table have constants of the same names, or none has. */
const fitting = new WeakMap<Schema, WeakSet<Schema>>()

/**
 * Throws `schema_conflict` if the type of a column in a file cannot be widened to its type in the table. `known` are the summaries of the
 * files.
 */
export function requireFitting(
  relation: string,
  schema: Schema,
  files: readonly FileRef[],
  known: readonly FileSummary[],
): void {
  const seen = fitting.get(schema) ?? new WeakSet<Schema>()
  fitting.set(schema, seen)
  for (const [index, summary] of known.entries()) {
    const file = files[index]
    if (file === undefined || seen.has(summary.schema)) continue
    requireFittingFile(relation, schema, file, summary)
    seen.add(summary.schema)
  }
}

function requireFittingFile(
  relation: string,
  { fields }: Schema,
  { path, constants = {} }: FileRef,
  summary: FileSummary,
): void {
  const indexes = fieldIndexes(fields)
  for (const { name, type } of summary.schema.fields) {
    const wanted = fields[indexes.get(name) ?? -1]?.type
    if (wanted === undefined || Object.hasOwn(constants, name)) continue
    const wider = widen(type, wanted)
    if (wider === null || !sameType(wider, wanted))
      throw new ServiceError(
        'schema_conflict',
        `Column "${name}" is ${typeName(type)} in "${path}", which does not fit into ${typeName(wanted)}, its type in the table ${relation}; unless it is declared, REFRESH finds the types of all files again.`,
      )
  }
}
