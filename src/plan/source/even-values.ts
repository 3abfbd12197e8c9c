import type { ColumnStatistics } from './statistics.ts'

/** Numbers at equal distances: that of an index is `origin + (index + shift) * step`, rounded as 64-bit floats are. `step` is not 0. */
export interface EvenValues {
  readonly origin: number
  readonly shift: number
  readonly step: number
}

export function evenValue({ origin, shift, step }: EvenValues, index: number): number {
  return origin + (index + shift) * step
}

/** The statistics of the values `from` to before `to`, of which there is at least one. Rounding keeps their order. */
export function evenStatistics(values: EvenValues, from: number, to: number): ColumnStatistics {
  const [first, last] = [evenValue(values, from), evenValue(values, to - 1)]
  return {
    min: { kind: 'float', value: Math.min(first, last) },
    max: { kind: 'float', value: Math.max(first, last) },
    isMinExact: true,
    isMaxExact: true,
    nulls: 0,
  }
}

/** Of more indices, several are looked at as one if a filter is none that sorted values answer. */
const MOST_BLOCKS = 4096

/** The indices of a block along an axis of this size. */
export function evenBlock(size: number): number {
  return Math.max(1, Math.ceil(size / MOST_BLOCKS))
}

/** The statistics of each block along an axis of this size. */
export function evenBlocks(values: EvenValues, size: number): readonly ColumnStatistics[] {
  const block = evenBlock(size)
  return Array.from({ length: Math.ceil(size / block) }, (_, index) =>
    evenStatistics(values, index * block, Math.min(size, (index + 1) * block)),
  )
}
