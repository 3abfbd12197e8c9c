import { elementsOf, type Grid } from '../../../../plan/source/grid.ts'

/**
 * What a worker takes to inflate and decode a byte of a compressed chunk (noise: zstd 1.1, deflate 1.7), and the annex (szip).
 * Nanoseconds.
 */
const INFLATED_BYTE_NS = 1.5
const ANNEX_BYTE_NS = 12

/** What a worker takes to copy a byte of other data. Nanoseconds. */
const COPIED_BYTE_NS = 0.5

/** What a worker takes to find a chunk and to read it from the page cache. Nanoseconds. */
const CHUNK_NS = 40_000

/** The number of tasks that a query should have if each then takes some time, so that all workers have some. */
export const LEAST_TASKS = 16

/**
 * The least and the most time that a unit of several compressed chunks should take. A task takes main and its worker 0.3 ms by itself: a
 * month of 31 chunks of 0.3 ms in units of 2 chunks instead of 9 takes 1.3 times as long. Nanoseconds.
 */
const UNIT_NS = Object.freeze({ least: 4_000_000, most: 12_000_000 })

/** What a byte takes that is read of a grid. Nanoseconds. */
export function byteNsOf({ annex, isAtomic }: Pick<Grid, 'annex' | 'isAtomic'>): number {
  return annex !== undefined ? ANNEX_BYTE_NS : isAtomic ? INFLATED_BYTE_NS : COPIED_BYTE_NS
}

/**
 * The most compressed chunks of a unit, of which `remainingChunks` are to be read. Each is decoded as a whole, however few of its rows are wanted: so
 * that all workers have some, a query has several units as soon as they take some milliseconds. `rowBytes` are those of a row of a
 * whole chunk.
 */
export function mostAtomicChunks(grid: Grid, remainingChunks: number, rowBytes: number): number {
  const chunkNs = CHUNK_NS + elementsOf({ shape: grid.chunk }) * rowBytes * byteNsOf(grid)
  const ns = Math.min(UNIT_NS.most, Math.max(UNIT_NS.least, (remainingChunks * chunkNs) / LEAST_TASKS))
  return Math.max(1, Math.floor(ns / chunkNs))
}
