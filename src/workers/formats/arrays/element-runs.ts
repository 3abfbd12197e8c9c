import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import type { ElementPlace } from './element-place.ts'

/** Elements of one column in several small files, which follow each other and are decoded together. */
export interface ElementRuns {
  /** Adds those of a file whose bytes are in memory, from `at` on. They stay as they are until the column is taken. All files have one memory. */
  add(place: ElementPlace, memory: Uint8Array, at: number, rows: number): void
  /** The column of the elements that were added since the last call, of which there must be some. The caller frees it. */
  take(core: Core): Column
}

export function createElementRuns(): ElementRuns {
  let source: Uint8Array = NOTHING
  let first: ElementPlace | null = null
  let all = 0
  /** Three numbers for each file: the place of its first element in memory, its rows, and 1 if all of them have the same element. */
  let runs: number[] = []

  function write(room: Buffer, width: number): void {
    const { buffer, byteOffset, byteLength } = source
    const bytes = Buffer.from(buffer, byteOffset, byteLength)
    let to = 0
    for (let index = 0; index < runs.length; index += 3) {
      const from = runs[index] ?? 0
      const length = (runs[index + 1] ?? 0) * width
      if (length > 0 && runs[index + 2] === 1) repeat(bytes, from, width, room, to, length)
      else bytes.copy(room, to, from, from + length)
      to += length
    }
  }

  return {
    add(place, memory, at, rows) {
      source = memory
      first ??= place
      runs.push(at + place.from, rows, place.isConstant ? 1 : 0)
      all += rows
    },
    take(core) {
      if (first === null) throw new TypeError('no elements were added')
      const { spec, isBigEndian, width } = first
      const column = core.elementsColumn(spec, all, isBigEndian, (room) => write(room, width))
      source = NOTHING
      first = null
      all = 0
      runs = []
      return column
    },
  }
}

const NOTHING = new Uint8Array(0)

/** Fills `length` bytes with one element. */
function repeat(bytes: Buffer, from: number, width: number, room: Buffer, to: number, length: number): void {
  bytes.copy(room, to, from, from + width)
  for (let done = width; done < length; done *= 2)
    room.copy(room, to + done, to, to + Math.min(done, length - done))
}
