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
  /** Four numbers for each file: the place of its first element in memory, its elements, how often each is repeated, and its rows. */
  let runs: number[] = []

  function write(room: Buffer, width: number): void {
    const { buffer, byteOffset, byteLength } = source
    const bytes = Buffer.from(buffer, byteOffset, byteLength)
    let to = 0
    for (let index = 0; index < runs.length; index += 4) {
      const from = runs[index] ?? 0
      const stored = (runs[index + 1] ?? 0) * width
      const repeated = (runs[index + 2] ?? 0) * width
      const length = (runs[index + 3] ?? 0) * width
      if (length === 0) continue
      let written = stored
      if (repeated === width) bytes.copy(room, to, from, from + stored)
      else {
        written = 0
        for (let at = 0; at < stored; at += width) {
          bytes.copy(room, to + written, from + at, from + at + width)
          fillWithFirst(room, to + written, width, repeated)
          written += repeated
        }
      }
      fillWithFirst(room, to, written, length)
      to += length
    }
  }

  return {
    add(place, memory, at, rows) {
      source = memory
      first ??= place
      runs.push(at + place.from, place.elements, place.repeat, rows)
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

/** Repeats the first `written` of `length` bytes in the others. */
function fillWithFirst(room: Buffer, from: number, written: number, length: number): void {
  for (let done = written; done < length; done *= 2)
    room.copy(room, from + done, from, from + Math.min(done, length - done))
}
