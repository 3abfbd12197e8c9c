import { ServiceError } from '../../../../plan/errors.ts'
import { typedColumns } from '../../../../plan/format/csv-types.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import type { Schema } from '../../../../plan/types/schema.ts'

/** The error for a name in the options of the format that is a column of none of the files. Null: each is one of a file. */
export function unknownName(summaries: readonly FileSummary[], { fields }: Schema): ServiceError | null {
  const ofFirst = summaries[0]?.unknownNames ?? []
  const unknown = ofFirst.find((name) => summaries.every(({ unknownNames }) => unknownNames?.includes(name)))
  if (unknown === undefined) return null
  const names = fields.map(({ name }) => name)
  return new ServiceError(
    'unknown_column',
    `statistics_columns: ${JSON.stringify(unknown)} is no column${didYouMean(unknown, names)}; name columns alone, or dimensions alone.`,
  )
}

/** The error for a column to which options of the format give a type, and which no file has. Null: files have all of them. */
export function missingTypedColumn(format: FileFormat, { fields }: Schema): ServiceError | null {
  const typed = typedColumns(format)
  if (typed.length === 0) return null
  const names = new Set(fields.map(({ name }) => name))
  const missing = typed.find((name) => !names.has(name))
  return missing === undefined
    ? null
    : new ServiceError(
        'unknown_column',
        `types: no file has a column ${JSON.stringify(missing)}${didYouMean(missing, [...names])}`,
      )
}
