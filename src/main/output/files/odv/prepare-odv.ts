import { ServiceError } from '../../../../plan/errors.ts'
import type { OdvCompression, OdvPlan } from '../../../../plan/output/odv-plan.ts'
import type { SortKey } from '../../../../plan/task/finish.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { PreparedOutput } from '../../output-format.ts'
import { deliverOdv } from './deliver-odv.ts'
import { nameColumns } from './name-columns.ts'
import { headsOf } from './odv-head.ts'
import { lineOf } from './odv-line.ts'
import type { OdvOptions } from './odv-options.ts'

/**
 * Prepares an archive of the rows of an answer. Throws `unknown_column` and `not_supported`, as `nameColumns` does, and `not_supported` for two
 * columns that would have one title.
 */
export function prepareOdv(schema: Schema, options: OdvOptions): PreparedOutput {
  const { columns, featureType, read } = nameColumns(schema, options)
  const { key, longitude, latitude, time, depth } = columns
  const line = lineOf(columns)
  for (const [index, { title }] of line.entries())
    if (line.findIndex((other) => other.title === title) !== index) throw twice(title)
  const sortAscending = (index: number): SortKey =>
    Object.freeze({ column: read[index] ?? index, isDescending: false, areNullsFirst: false })
  const plan: OdvPlan = Object.freeze({
    kind: 'odv',
    columns: Object.freeze(read),
    order: Object.freeze([key, time, depth].map(({ index }) => sortAscending(index))),
    key: key.index,
    longitude: longitude.index,
    latitude: latitude.index,
    time: time.index,
    depth: depth.index,
    featureType,
    line: Object.freeze(line),
    compression: COMPRESSIONS[options.compression],
  })
  const heads = headsOf(columns)
  return {
    file: plan,
    encoding: 'arrow',
    deliver: (delivery, files) => deliverOdv(plan, heads, delivery, files),
  }
}

const COMPRESSIONS: Readonly<Record<OdvOptions['compression'], OdvCompression>> = Object.freeze({
  Stored: 'stored',
  Deflate: 'deflate',
  Zstd: 'zstd',
})

function twice(title: string): ServiceError {
  return new ServiceError(
    'not_supported',
    `output.format.odv: two columns have the title ${JSON.stringify(title)}; give one of them an alias`,
  )
}
