import { hash } from 'node:crypto'
import { type NameMap, nameMap } from './name-map.ts'

/** What the digest of a table or a view is made of. Names are folded, as names of the schema `public` are compared. */
export interface DigestParts {
  /** A digest of its own definition. */
  readonly definitionDigest: string
  /** The names that its query reads, or may read. A table reads none. */
  readonly below: readonly string[]
}

/** All tables and views, the views that read each name, and the digests. */
export interface Digests {
  readonly parts: NameMap<DigestParts>
  readonly above: NameMap<readonly string[]>
  readonly digests: NameMap<string>
}

export const NO_DIGESTS: Digests = Object.freeze({
  parts: nameMap<DigestParts>(),
  above: nameMap<readonly string[]>(),
  digests: nameMap<string>(),
})

/**
 * The digests, and the names whose digests were computed again, each after those below it unless it reads itself, and those that are
 * gone.
 */
export interface DigestsAfter extends Digests {
  readonly affected: ReadonlySet<string>
}

/**
 * The digests of all tables and views after the definitions of some names have changed; null: a name has none any more. The digest of
 * a view changes with its own definition and with all below it: what a name means there, or that nothing has it. It takes time for
 * the changed names and the views above them alone.
 */
export function digestsAfter(
  earlier: Digests,
  changes: ReadonlyMap<string, DigestParts | null>,
): DigestsAfter {
  const parts = earlier.parts.with(changes)
  const above = viewsAbove(earlier, changes)
  const affected = new Set(changes.keys())
  // A set is iterated to its end, names that are added meanwhile included.
  for (const name of affected) for (const view of above.get(name) ?? []) affected.add(view)

  /** The digests of affected names. */
  const newDigests = new Map<string, string>()
  const digestOf = (name: string): string | null =>
    newDigests.get(name) ?? (affected.has(name) ? null : (earlier.digests.get(name) ?? null))
  const make = (name: string): string => {
    const { definitionDigest, below } = parts.get(name) ?? NO_PARTS
    return below.length === 0
      ? definitionDigest
      : hash('sha256', JSON.stringify([definitionDigest, below.map((each) => [each, digestOf(each)])]))
  }
  const missing = new Map<string, number>()
  const ready: string[] = []
  for (const name of affected) {
    const below = parts.get(name)?.below
    if (below === undefined) continue
    const count = [...new Set(below)].filter((each) => affected.has(each) && parts.has(each)).length
    if (count === 0) ready.push(name)
    else missing.set(name, count)
  }
  for (const name of ready) {
    newDigests.set(name, make(name))
    for (const view of above.get(name) ?? []) {
      const count = (missing.get(view) ?? 0) - 1
      missing.set(view, count)
      if (count === 0) ready.push(view)
    }
  }
  const inCircles = [...missing].flatMap(([name, count]) => (count > 0 ? [name] : [])).toSorted()
  // Views that read each other in a circle have one digest of all of them in place of those below. So have the views above them.
  const ofCircles = hash('sha256', JSON.stringify(inCircles.map(make)))
  for (const name of inCircles) newDigests.set(name, ofCircles)
  const circles = inCircles.map((name) => [name, make(name)] as const)
  for (const [name, digest] of circles) newDigests.set(name, digest)
  const digests = earlier.digests.with([...affected].map((name) => [name, newDigests.get(name) ?? null]))
  return { parts, above, digests, affected: new Set([...ready, ...inCircles, ...affected]) }
}

/** Those of a name that nothing has. */
const NO_PARTS: DigestParts = { definitionDigest: '', below: [] }

/** The views that read each name, after some views have changed. */
function viewsAbove(
  { parts, above }: Digests,
  changes: ReadonlyMap<string, DigestParts | null>,
): NameMap<readonly string[]> {
  const changed = new Map<string, Set<string>>()
  const viewsOf = (name: string): Set<string> => {
    const views = changed.get(name) ?? new Set(above.get(name))
    changed.set(name, views)
    return views
  }
  for (const [view, next] of changes) {
    for (const name of parts.get(view)?.below ?? []) viewsOf(name).delete(view)
    for (const name of next?.below ?? []) viewsOf(name).add(view)
  }
  return above.with([...changed].map(([name, views]) => [name, views.size === 0 ? null : [...views]]))
}
