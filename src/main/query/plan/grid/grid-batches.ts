import { UNIT_BYTES } from '../../../../plan/limits.ts'
import type { Grid } from '../../../../plan/source/grid.ts'
import {
  boxAt,
  countUnits,
  type GridUnits,
  rowsBefore,
  type UnitAxis,
} from '../../../../plan/source/grid-units.ts'
import type { BoxUnit } from '../../../../plan/source/unit.ts'
import type { Batches } from '../unit-sequence.ts'
import { byteNsOf, LEAST_TASKS } from './grid-costs.ts'

/** The most units of a batch. Each takes some 300 bytes of the task's message. */
const MOST_UNITS = 64

/** The least time of a task. Nanoseconds. */
const LEAST_NS = 1_000_000

/**
 * A query that would have more tasks than these has longer ones, up to so many times: each takes main 0.7 ms, so that all of 960 chunks take 0.9 times
 * as long.
 */
const MANY_TASKS = 48
const MOST_LONGER = 2

/** What a unit takes to filter and aggregate a row, and to begin. Nanoseconds. */
const ROW_NS = 1.5
const UNIT_NS = 50_000

/**
 * Groups the units of a grid, in their order, to the batches that one task reads. If units are parts of chunks, the parts of a chunk
 * are read together, so that one worker decodes the chunk. Otherwise units that take less than `ns` nanoseconds together are, or twice
 * that time if they are many, and have at most `mostBytes` decoded bytes.
 */
export function gridBatches(run: GridUnits, grid: Grid, mostBytes: number, ns: number): Batches {
  return run.axes.some(({ step, part }) => part < step)
    ? partBatches(run)
    : unitBatches(run, grid, mostBytes, ns)
}

/** What a unit of a grid takes on average. */
export interface UnitCost {
  readonly rows: number
  readonly bytes: number
  /** To decode, filter and aggregate its rows, without what it takes to begin. Nanoseconds. */
  readonly ns: number
}

export function unitCost({ axes, skipped, count, rowBytes }: GridUnits, grid: Grid): UnitCost {
  const rows = (rowsBefore(axes, skipped + count) - rowsBefore(axes, skipped)) / count
  // Of a compressed chunk all is decoded, whatever the filter leaves of it.
  const bytes = rowBytes * (grid.isAtomic ? Math.max(rows, elementsOfUnit(axes)) : rows)
  return { rows, bytes, ns: bytes * byteNsOf(grid) + rows * ROW_NS }
}

function unitBatches(run: GridUnits, grid: Grid, mostBytes: number, ns: number): Batches {
  const { count } = run
  const { bytes, ns: rowsNs } = unitCost(run, grid)
  const unitNs = UNIT_NS + rowsNs
  // While a worker waits for the annex, other queries wait for the worker.
  const mostLonger = grid.annex === undefined ? MOST_LONGER : 1
  const fitting = Math.min(
    MOST_UNITS,
    Math.max(Math.ceil(count / LEAST_TASKS), LEAST_NS / unitNs),
    Math.min(mostLonger * ns, Math.max(ns, (count * unitNs) / MANY_TASKS)) / unitNs,
    mostBytes / bytes,
  )
  const each = Math.max(1, Math.floor(fitting))
  return {
    count: Math.ceil(count / each),
    at(index) {
      const from = index * each
      return Array.from({ length: Math.min(each, count - from) }, (_, unit) => boxAt(run, from + unit))
    },
  }
}

/** The most elements of the chunks of a unit. */
function elementsOfUnit(axes: readonly UnitAxis[]): number {
  return axes.reduce((elements, { step, ranges }) => elements * Math.min(step, ranges.at(-1)?.to ?? step), 1)
}

function partBatches(run: GridUnits): Batches {
  const { axes, skipped, count, rowBytes } = run
  // Only of a whole grid the boxes of several parts can be counted like its units.
  if (skipped > 0 || count !== countUnits(axes)) return { count, at: (index) => [boxAt(run, index)] }
  const joined = joinedParts(axes, Math.floor(UNIT_BYTES / Math.max(1, rowBytes)))
  const boxes = { ...run, axes: joined, count: countUnits(joined) }
  return { count: boxes.count, at: (index) => partsOf(boxAt(boxes, index), axes, rowBytes) }
}

/** Axes whose parts are several of the given ones that follow each other in C order, with at most `rows` rows together. */
function joinedParts(axes: readonly UnitAxis[], rows: number): readonly UnitAxis[] {
  let joined = axes
  for (const [index, axis] of [...axes.entries()].reverse()) {
    const { step, part } = axis
    if (part >= step) continue
    const most = Math.floor(rows / joined.reduce((product, each) => product * each.part, 1))
    if (most <= 1) break
    const all = Math.min(step, most * part)
    joined = joined.with(index, { ...axis, part: all })
    if (all < step) break
  }
  return joined
}

/** The parts of a box, which is in one chunk, in C order. */
function partsOf(box: BoxUnit, axes: readonly UnitAxis[], rowBytes: number): readonly BoxUnit[] {
  const along = axes.map(({ step, part }, index) => {
    const begin = box.origin[index] ?? 0
    const end = begin + (box.extent[index] ?? 0)
    const chunk = Math.floor(begin / step) * step
    const edges: number[] = []
    for (let from = begin; from < end; from = chunk + (Math.floor((from - chunk) / part) + 1) * part)
      edges.push(from)
    return edges.map((from, at) => ({ from, length: (edges[at + 1] ?? end) - from }))
  })
  const parts = along.reduce<readonly (readonly { from: number; length: number }[])[]>(
    (before, each) => before.flatMap((part) => each.map((slice) => [...part, slice])),
    [[]],
  )
  const { exclusive: _, ...joined } = box
  return parts.map((part) => ({
    ...joined,
    origin: part.map(({ from }) => from),
    extent: part.map(({ length }) => length),
    decodedBytes: Math.ceil(part.reduce((rows, { length }) => rows * length, 1) * rowBytes),
  }))
}
