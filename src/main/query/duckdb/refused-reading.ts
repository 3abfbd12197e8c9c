import { isServiceError, type ServiceError } from '../../../plan/errors.ts'
import type { ScanRequest, Source } from '../../../plan/statement/statement.ts'
import { field } from '../../../plan/types/schema.ts'
import { type RefusedColumn, refusedError } from '../source/schema/refused-columns.ts'
import type { ResolvedSource } from './sources.ts'

const TEXT = { kind: 'utf8' } as const

/** Binds a statement over these sources. Null: it names more of them. */
export type Bind = (sources: readonly Source[]) => Promise<readonly ScanRequest[] | null>

/**
 * Refuses a bound statement that reads columns which its sources refuse without naming them, as `*` does. `bind` binds it over sources that
 * have these columns too. False: no source refuses any, and nothing was bound.
 */
export async function checkReading(sources: readonly ResolvedSource[], bind: Bind): Promise<boolean> {
  const refused = refusedOf(sources)
  const first = refused.flat()[0]
  if (first === undefined) return false
  const scans = await bind(widen(sources, refused)).catch((error: unknown) => {
    // A name means two columns, for example: without the refused ones it would be another one's alone.
    if (isServiceError(error) && error.status === 400) throw refusedError(first, error)
    throw error
  })
  const column = readColumn(sources, refused, scans ?? [])
  if (column !== null) throw refusedError(column)
  return true
}

/** The error for a statement that could not be bound, if it can be bound when its sources have the columns that they refuse. Else null. */
export async function refusedReading(
  sources: readonly ResolvedSource[],
  bind: Bind,
  cause: unknown,
): Promise<ServiceError | null> {
  const refused = refusedOf(sources)
  const first = refused.flat()[0]
  if (first === undefined) return null
  const scans = await bind(widen(sources, refused)).catch((error: unknown) => {
    if (isServiceError(error) && error.status === 400) return null
    throw error
  })
  return scans && refusedError(readColumn(sources, refused, scans) ?? first, cause)
}

/** The refused columns of each source. */
type Refused = readonly (readonly RefusedColumn[])[]

function refusedOf(sources: readonly ResolvedSource[]): Refused {
  return sources.map(({ table, presetScan }) => (presetScan === null ? (table.refused ?? []) : []))
}

/** The sources with their refused columns behind the others, as text. No value of them is ever read. */
function widen(sources: readonly ResolvedSource[], refused: Refused): readonly Source[] {
  return sources.map(({ source }, index) => {
    const more = (refused[index] ?? []).map(({ name }) => field(name, TEXT))
    if (more.length === 0) return source
    return { ...source, schema: { ...source.schema, fields: [...source.schema.fields, ...more] } }
  })
}

/** A refused column that scans of widened sources read, or may read. Null: there is none. */
function readColumn(
  sources: readonly ResolvedSource[],
  refused: Refused,
  scans: readonly ScanRequest[],
): RefusedColumn | null {
  for (const { source, columns } of scans) {
    const fieldCount = sources[source]?.source.schema.fields.length ?? 0
    const read = columns === null ? fieldCount : columns.find((index) => index >= fieldCount)
    const column = read === undefined ? undefined : refused[source]?.[read - fieldCount]
    if (column !== undefined) return column
  }
  return null
}
