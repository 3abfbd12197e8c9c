import { type Part, payloadAs } from '../../../../plan/task/part.ts'

/** The most that an answer has of its rows, for a reader who wants no more. */
export interface MostRows {
  readonly rows: number
  /** Bytes of the rows as they are encoded. The row with which they are reached is still part of the answer. */
  readonly bytes: number
}

const LINE_END = 0x0a

/**
 * The first rows of parts in which each row is a line of text, up to the row with which one of the limits is reached. The parts behind it
 * are not asked for.
 */
export async function* firstRows(
  parts: AsyncGenerator<Part, void, undefined>,
  most: MostRows,
): AsyncGenerator<Part, void, undefined> {
  let { rows, bytes } = most
  for await (const part of parts) {
    const first = firstOf(part, { rows, bytes })
    rows -= first.rows
    bytes -= payloadAs(first, 'text').bytes.byteLength
    yield first
    if (rows <= 0 || bytes <= 0) return
  }
}

/** The beginning of a part, or the part itself if it has no more. */
function firstOf(part: Part, most: MostRows): Part {
  const { bytes } = payloadAs(part, 'text')
  if (part.rows <= most.rows && bytes.byteLength <= most.bytes) return part
  const text = Buffer.from(bytes)
  let rows = 0
  let end = 0
  while (rows < Math.min(most.rows, part.rows) && end < most.bytes) {
    end = text.indexOf(LINE_END, end) + 1
    rows++
  }
  return { ...part, rows, payload: { kind: 'text', bytes: bytes.slice(0, end) } }
}
