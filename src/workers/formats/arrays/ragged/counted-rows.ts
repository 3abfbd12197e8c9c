import { lastAtMost } from '../../../../plan/binary-search.ts'
import { ServiceError } from '../../../../plan/errors.ts'
import { onlyObject } from '../../../store/store.ts'
import type { Reading } from '../box/read-array.ts'
import type { Counted, CountVariable } from '../columns.ts'
import { readElements } from '../elements.ts'

/**
 * The first row of each instance and, for each count variable, its first observation. Each list ends with the number of all.
 * An instance has as many rows as its longest count says.
 */
interface CountedRows {
  readonly firstRows: Float64Array
  readonly firstObservations: readonly Float64Array[]
}

/** The number of rows. Throws `unreadable_file` for counts that are negative, or exceed the sample dimension. */
export function rowsByCounts(reading: Reading, counts: readonly CountVariable[]): number {
  return countedRows(reading, counts).firstRows.at(-1) ?? 0
}

/** For each of the rows `from`..`to` its index, or -1 where the instance has fewer observations than rows. */
export function indexesByCounts(
  reading: Reading,
  { counts, sample }: Counted,
  from: number,
  to: number,
): Float64Array {
  const { firstRows, firstObservations } = countedRows(reading, counts)
  const first = sample === null ? null : firstObservations[counts.findIndex((each) => each.sample === sample)]
  const indexes = new Float64Array(to - from)
  let instance = lastAtMost(firstRows.length, (each) => firstRows[each] ?? 0, from)
  for (let row = from; row < to; ) {
    const begin = firstRows[instance] ?? 0
    const end = Math.min(to, firstRows[instance + 1] ?? to)
    const observation = first?.[instance] ?? 0
    const observations = (first?.[instance + 1] ?? 0) - observation
    for (; row < end; row++) {
      const nth = row - begin
      if (!first) indexes[row - from] = instance
      else indexes[row - from] = nth < observations ? observation + nth : -1
    }
    instance++
  }
  return indexes
}

/** The sums are kept beside decoded chunks, since each unit needs them. */
function countedRows(reading: Reading, counts: readonly CountVariable[]): CountedRows {
  const { store, context } = reading
  const length = (counts[0]?.column.dimensions[0]?.size ?? 0) + 1
  const lists = counts.length === 1 ? 1 : counts.length + 1
  const bytes = lists * length * Float64Array.BYTES_PER_ELEMENT
  const { maxChunkBytes } = context.chunks
  if (!(bytes <= maxChunkBytes))
    throw new ServiceError(
      'memory_limit',
      `the ragged arrays of ${length - 1} instances take ${bytes} bytes, and at most ${maxChunkBytes} are kept; raise SERVICE_MAX_CHUNK_BYTES`,
    )
  const name = `rows of ${JSON.stringify(counts.map(({ column }) => column.name))}`
  const sums = context.chunks.get(store, name, onlyObject(store).version, () => {
    const sumsOfCounts = new ArrayBuffer(bytes)
    addUp(reading, counts, listsOf(sumsOfCounts, lists, length))
    return sumsOfCounts
  })
  const [firstRows = new Float64Array(), ...others] = listsOf(sums, lists, length)
  return { firstRows, firstObservations: counts.length === 1 ? [firstRows] : others }
}

function listsOf(sums: ArrayBuffer, lists: number, length: number): readonly Float64Array[] {
  return Array.from(
    { length: lists },
    (_, list) => new Float64Array(sums, list * length * Float64Array.BYTES_PER_ELEMENT, length),
  )
}

/** Fills the list of first rows and, if there are several count variables, those of first observations. */
function addUp(
  reading: Reading,
  counts: readonly CountVariable[],
  [firstRows = new Float64Array(), ...firstObservations]: readonly Float64Array[],
): void {
  const countsAt = counts.map((count) => countsOf(reading, count))
  for (let instance = 0; instance + 1 < firstRows.length; instance++) {
    let most = 0
    for (const [at, countAt] of countsAt.entries()) {
      const observations = countAt(instance)
      const first = firstObservations[at]
      if (first) first[instance + 1] = (first[instance] ?? 0) + observations
      most = Math.max(most, observations)
    }
    firstRows[instance + 1] = (firstRows[instance] ?? 0) + most
  }
}

/** The number of observations of each instance. One that is null has none. */
function countsOf(reading: Reading, { column, sample, size }: CountVariable): (instance: number) => number {
  const { name, dimensions } = column
  const instances = dimensions[0]?.size ?? 0
  const counts = readElements(reading, column, 0, instances)
  const countAt = (instance: number): number => Number(counts(instance) ?? 0)
  let sum = 0
  for (let instance = 0; instance < instances; instance++) {
    const count = countAt(instance)
    if (count < 0)
      throw new ServiceError(
        'unreadable_file',
        `row-size variable ${name} holds an invalid row size: ${count}, of instance ${instance}`,
      )
    sum += count
    if (sum > size)
      throw new ServiceError(
        'unreadable_file',
        `row-size variable ${name} counts ${sum} observations up to instance ${instance}, and dimension '${sample}' has ${size}`,
      )
  }
  return countAt
}
