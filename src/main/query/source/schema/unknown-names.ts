import { ServiceError } from '../../../../plan/errors.ts'
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
