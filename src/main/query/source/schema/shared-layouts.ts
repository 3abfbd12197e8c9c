import { hash } from 'node:crypto'
import { createLru } from '../../../../plan/lru.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { ArrayLayout } from '../../../../plan/source/array-layout.ts'

/** The most columns of all layouts that are remembered. Each takes some 200 bytes. */
const CAPACITY = 1 << 14

/** Gives one object for all equal layouts. Those of one answer are compared by identity. */
export function createSharedLayouts(): (layout: ArrayLayout) => ArrayLayout {
  const layouts = createLru<ArrayLayout>(CAPACITY, ({ bytes }) => 1 + bytes.length)
  return memoize((layout) => {
    const digest = hash('sha256', JSON.stringify(layout), 'base64url')
    const shared = layouts.get(digest) ?? layout
    layouts.put(digest, shared)
    return shared
  })
}
