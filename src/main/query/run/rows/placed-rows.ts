import { readFloats } from '../../../../plan/arrow/read-values.ts'
import { rowsIn } from '../../../../plan/source/range.ts'
import type { Unit } from '../../../../plan/source/unit.ts'
import { type Part, payloadAs } from '../../../../plan/task/part.ts'
import { rowAt, taskAt } from '../../../../plan/task/places.ts'
import type { Batches } from '../../plan/unit-sequence.ts'

/** Units that one task reads, and which of their rows: in ascending order, counted over all of them. */
export interface PlacedRows {
  readonly units: readonly Unit[]
  readonly rows: Int32Array
}

/** The estimated decoded bytes of the units of a task, if it has several. */
const TASK_BYTES = 16 << 20

/** The places that parts have in their only column, in file order. */
export async function placesIn(parts: AsyncIterable<Part>): Promise<Float64Array> {
  const each: Float64Array[] = []
  for await (const part of parts) {
    const { bytes, metadataBytes } = payloadAs(part, 'arrow')
    each.push(readFloats(bytes, metadataBytes))
  }
  const places = new Float64Array(each.reduce((sum, { length }) => sum + length, 0))
  let length = 0
  for (const some of each) {
    places.set(some, length)
    length += some.length
  }
  return places.sort()
}

/** The tasks that read the rows at places in file order, which tasks of these batches have given. Units without such a row are left out. */
export function placedRows(places: Float64Array, batches: Batches): readonly PlacedRows[] {
  const tasks: PlacedRows[] = []
  let units: Unit[] = []
  /** Rows of the units of the next task, and how many there are of all of them. */
  let rows: number[] = []
  let [unitRows, bytes] = [0, 0]
  const end = (): void => {
    if (units.length > 0) tasks.push({ units, rows: Int32Array.from(rows) })
    units = []
    rows = []
    unitRows = 0
    bytes = 0
  }
  for (let at = 0; at < places.length; ) {
    const task = taskAt(places[at] ?? 0)
    let before = 0
    for (const unit of batches.at(task)) {
      const count = rowsIn(unit) ?? 0
      const from = at
      const rowOf = (place: number): number =>
        taskAt(place) === task ? rowAt(place) : Number.POSITIVE_INFINITY
      while (at < places.length && rowOf(places[at] ?? 0) < before + count) at++
      if (at > from) {
        if (bytes + unit.decodedBytes > TASK_BYTES) end()
        units.push(unit)
        for (const place of places.subarray(from, at)) rows.push(unitRows + rowAt(place) - before)
        unitRows += count
        bytes += unit.decodedBytes
      }
      before += count
    }
    if (at < places.length && taskAt(places[at] ?? 0) === task)
      throw new RangeError(`row ${rowAt(places[at] ?? 0)} of a task with ${before} rows`)
  }
  end()
  return tasks
}
