import { distinctNames } from '../../../plan/types/names.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ReadContext } from '../provider.ts'
import type { CsvLimits } from './limits.ts'
import { unreadable } from './unreadable.ts'

export interface Header {
  /** As written, without quotes; one that repeats gets the first free `_1`, `_2`, …. */
  readonly names: readonly string[]
  /** Byte at which the next line begins. */
  readonly end: number
}

/** Beginnings of files that hold no UTF-8 text, and what those are. */
const FOREIGN: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], 'compressed with gzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'compressed with xz'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive'],
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
]

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** What a file is that is no text; null: it may be text. */
export function foreignKind(source: ByteSource): string | null {
  const head = headOf(source)
  return FOREIGN.find(([bytes]) => beginsWith(head, bytes))?.[1] ?? null
}

/** The first line that is not empty, which must be there unless the file holds nothing at all. */
export function readHeader(
  source: ByteSource,
  delimiter: string,
  limits: CsvLimits,
  { core, checkCancelled }: Pick<ReadContext, 'core' | 'checkCancelled'>,
): Header {
  const foreign = foreignKind(source)
  if (foreign !== null) throw unreadable(`it is ${foreign}, and CSV is plain UTF-8 text`)
  const begin = beginsWith(headOf(source), BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  const text = core.csvText(delimiter, 0)
  try {
    for (let at = begin, step = limits.tail; ; step *= 2) {
      checkCancelled()
      const length = Math.min(step, source.size - at)
      text.add(length, (target) => source.readInto(at, target))
      at += length
      const { state, rows, next, fields } = text.find(Number.POSITIVE_INFINITY, 1, at === source.size)
      if (state === 'open_quote') throw unreadable('a quote in its header is not closed')
      if (state === 'more') {
        if (at - begin > limits.record)
          throw unreadable(`its header is longer than ${limits.record} bytes; is a quote missing?`)
        continue
      }
      if (rows === 0) return { names: [], end: source.size }
      if (fields > limits.columns) throw unreadable(`it has ${fields} columns, over ${limits.columns}`)
      const names = text.names()
      if (names === null) throw unreadable('its header is not UTF-8 text')
      return { names: distinctNames(names), end: begin + next }
    }
  } finally {
    text.free()
  }
}

/** Bytes that tell what a file is. */
const HEAD = 8

function headOf(source: ByteSource): Uint8Array {
  return source.read(0, Math.min(HEAD, source.size))
}

function beginsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}
