import { decline } from '../../bind/declined.ts'
import type { FromSources, Select } from './ast.ts'

/** A `SELECT` without ORDER BY and limits. */
export type Single = Omit<Select, 'orderBy' | 'limit' | 'offset'>

const MOST_QUERIES = 64

/** Unites two queries with `UNION ALL` between them, which are equal except for their files, to one over the files of both. */
export function united(one: Single, other: Single, at: number): Single {
  const [files, others] = [filesOf(one), filesOf(other)]
  if (files !== null && files.sources.length === MOST_QUERIES)
    decline(`UNION ALL of over ${MOST_QUERIES} queries`, at)
  if (files === null || others === null || written(one) !== written(other) || !isSameFormat(files, others))
    return decline('UNION ALL of different queries', at)
  return { ...one, from: { ...files, sources: [...files.sources, ...others.sources] } }
}

/** The files of a query. Null: it does more than choose rows and columns of files. */
function filesOf({ isDistinct, items, from, groupBy, having }: Single): FromSources | null {
  const isPlain = items.every((item) => item.kind === 'star' || item.value.kind === 'column')
  if (isDistinct || !isPlain || groupBy !== null || having !== null) return null
  return from.kind === 'sources' ? from : null
}

/** A key of what a query chooses: equal for queries that are written the same, at whatever position. */
function written({ items, where, from }: Single): string {
  return JSON.stringify([items, where, from.alias], (key, value: unknown) => (key === 'at' ? 0 : value))
}

function isSameFormat({ sources: [one] }: FromSources, { sources: [other] }: FromSources): boolean {
  return one?.kind === 'files' && other?.kind === 'files' && one.format.key === other.format.key
}
