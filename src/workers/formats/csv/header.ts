import { distinctNames } from '../../../plan/types/names.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ReadContext } from '../provider.ts'
import type { CsvLimits } from './limits.ts'
import { unreadable } from './unreadable.ts'

export interface Header {
  /** As written, without quotes. A name that repeats gets the first suffix of `_1`, `_2`, … that makes it unique. */
  readonly names: readonly string[]
  /** Byte of the file at which the line after the header begins. */
  readonly end: number
}

/** First bytes of files that are not UTF-8 text, and how messages name their content. */
const FOREIGN: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], 'compressed with gzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'compressed with xz'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive'],
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
]

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** The content of a file that cannot be UTF-8 text, for messages. Null: it may be text. */
export function foreignKind(source: ByteSource): string | null {
  const head = headOf(source)
  return FOREIGN.find(([bytes]) => beginsWith(head, bytes))?.[1] ?? null
}

/**
 * Reads the first line that is not empty. A file without such a line has no columns and no rows. Throws `unreadable_file` if
 * the header is too long, has too many columns, has a quote that is not closed, or is not UTF-8.
 */
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

/** The first bytes of a file, compared with those of `FOREIGN`. */
const HEAD = 8

function headOf(source: ByteSource): Uint8Array {
  return source.read(0, Math.min(HEAD, source.size))
}

function beginsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}
