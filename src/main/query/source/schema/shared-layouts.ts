import { hash } from 'node:crypto'
import { createLru } from '../../../../plan/lru.ts'
import { memoize } from '../../../../plan/memoize.ts'
import { type ArrayLayout, type LaidOutArrays, sameLayout } from '../../../../plan/source/array-layout.ts'

/** The most columns of all layouts that are remembered. Each takes some 200 bytes. */
const CAPACITY = 1 << 14

/** Gives one object for equal arrays. */
export type SharedArrays = (arrays: LaidOutArrays) => LaidOutArrays

/** The most sizes of dimensions that are remembered of a layout. */
const MOST_SIZES = 4096

/**
 * Gives one object for the arrays of all files that have the same layout and the same sizes. What follows from both, such as the
 * grid of any columns, is then computed once for all of them.
 */
export function createSharedArrays(): SharedArrays {
  const sharedLayout = createSharedLayouts()
  const arraysBySizes = memoize((_layout: ArrayLayout) => new Map<string, LaidOutArrays>())
  return memoize(({ layout, sizes }) => {
    const shared = sharedLayout(layout)
    const bySizes = arraysBySizes(shared)
    const key = sizes.join()
    const earlier = bySizes.get(key)
    if (earlier !== undefined) return earlier
    if (bySizes.size >= MOST_SIZES) bySizes.clear()
    const arrays = Object.freeze({ layout: shared, sizes })
    bySizes.set(key, arrays)
    return arrays
  })
}

/** With so many of the layouts that were used last another one is compared before it is digested, which takes five times as long. */
const COMPARED = 16

/** Gives one object for all equal layouts. Those of one answer are compared by identity. */
function createSharedLayouts(): (layout: ArrayLayout) => ArrayLayout {
  const layouts = createLru<ArrayLayout>(CAPACITY, ({ bytes }) => 1 + bytes.length)
  /** The one that was used last comes first. */
  const latest: ArrayLayout[] = []

  function find(layout: ArrayLayout): ArrayLayout {
    const digest = hash('sha256', JSON.stringify(layout), 'base64url')
    const shared = layouts.get(digest) ?? layout
    layouts.put(digest, shared)
    return shared
  }

  return memoize((layout) => {
    const index = latest.findIndex((each) => sameLayout(each, layout))
    const [shared = find(layout)] = index < 0 ? [] : latest.splice(index, 1)
    latest.unshift(shared)
    if (latest.length > COMPARED) latest.pop()
    return shared
  })
}
