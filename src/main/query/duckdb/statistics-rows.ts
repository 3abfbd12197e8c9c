import { ServiceError } from '../../../plan/errors.ts'
import { groupByFormat } from '../../../plan/format/group-by-format.ts'
import { wholeColumn } from '../../../plan/source/whole.ts'
import { STATISTICS_FUNCTION } from '../../../plan/statement/functions.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, field, typeName } from '../../../plan/types/schema.ts'
import { printValue } from '../explain/print-scalar.ts'
import { NO_COLUMN_FILTER } from '../source/column-filter.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'
import type { FileFacts } from '../source/summaries/surveyed-facts.ts'
import type { Value } from './values-columns.ts'

const TEXT = { kind: 'utf8' } as const
const COUNT = { kind: 'int', bits: 64, signed: false } as const

/** The columns of `file_statistics`. Bounds are text. */
export const STATISTICS_FIELDS = Object.freeze([
  field('path', TEXT, false),
  field('column', TEXT, false),
  field('data_type', TEXT, false),
  field('min', TEXT),
  field('max', TEXT),
  field('null_count', COUNT),
  field('row_count', COUNT),
  field('segment', TEXT, false),
])

/** The most files of one call. */
const MOST_FILES = 1000

/**
 * A row for each column of the files that were analyzed and have not changed since. Throws `permission_denied` for others than the super-user,
 * `no_files` for a path that names none, and `invalid_sql` for too many files.
 */
export async function statisticsRows(
  paths: readonly string[],
  context: QueryContext,
): Promise<readonly (readonly Value[])[]> {
  if (!context.lookups.caller.isSuperUser)
    throw new ServiceError(
      'permission_denied',
      `permission denied: ${STATISTICS_FUNCTION} is restricted to the super-user.`,
    )
  const byPath = new Map<string, readonly (readonly Value[])[]>()
  const named = await pathsNamed(paths, context)
  for (const [format, ofFormat] of groupByFormat(named, (path) => path, context.formats)) {
    const table = await resolveSource({ kind: 'files', format, paths: ofFormat }, context)
    const { files } = await table.files(NO_COLUMN_FILTER)
    const facts = await context.summaries.surveyed(format, files, context.ticket)
    for (const [index, { path }] of files.entries()) {
      const ofFile = facts[index] ?? null
      if (ofFile !== null) byPath.set(path, columnRows(path, ofFile))
    }
  }
  return [...byPath.values()].flat()
}

/** The paths of the files that patterns name, without stores. */
async function pathsNamed(
  patterns: readonly string[],
  { listing }: QueryContext,
): Promise<readonly string[]> {
  const paths: string[] = []
  let count = 0
  for (const pattern of patterns) {
    const datasets = await listing.find(pattern)
    if (datasets.length === 0)
      throw new ServiceError('no_files', `No file matched ${JSON.stringify(pattern)}`, { about: pattern })
    count += datasets.length
    if (count > MOST_FILES)
      throw new ServiceError(
        'invalid_sql',
        `${STATISTICS_FUNCTION} takes at most ${MOST_FILES} files; name fewer, or narrower patterns.`,
      )
    for (const { file, marker } of datasets) if (marker === null) paths.push(file.path)
  }
  return paths
}

function columnRows(
  path: string,
  { schema, whole, rows, segment }: FileFacts,
): readonly (readonly Value[])[] {
  return schema.fields.map(({ name, type }, index): readonly Value[] => {
    const column = wholeColumn(whole, index)
    const { min, max, nulls } = column?.statistics ?? {}
    return [
      path,
      name,
      typeName(type),
      min === undefined ? null : printBound(min, type),
      max === undefined ? null : printBound(max, type),
      nulls ?? null,
      rows,
      segment,
    ]
  })
}

function printBound(bound: Scalar, type: DataType): string {
  if (bound.kind !== 'bytes') return printValue(bound, type)
  return type.kind === 'binary'
    ? Buffer.from(bound.value).toString('hex')
    : new TextDecoder().decode(bound.value)
}
