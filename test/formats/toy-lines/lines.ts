import { ServiceError } from '../../../src/plan/errors.ts'
import { list, type Segment } from '../../../src/plan/source/segments.ts'
import { field } from '../../../src/plan/types/schema.ts'
import type { Column } from '../../../src/wasm/core/column.ts'
import { collect } from '../../../src/workers/formats/collect.ts'
import { locateErrorsInFile } from '../../../src/workers/formats/error-location.ts'
import type { OpenFile, Provider, ReadContext } from '../../../src/workers/formats/provider.ts'
import { rowsOfSegment } from '../../../src/workers/formats/ranges.ts'
import type { ByteSource } from '../../../src/workers/store/byte-source.ts'
import { onlyObject } from '../../../src/workers/store/store.ts'

/** `#lines 2 8`: how many lines follow, and how many bytes those have, their line ends included. */
const FIRST_LINE = /^#lines (\d{1,15}) (\d{1,15})\n/
const FIRST_LINE_BYTES = 40
const LINE_END = 0x0a

const SCHEMA = {
  fields: [field('number', { kind: 'int', bits: 64, signed: true }), field('text', { kind: 'utf8' })],
  metadata: {},
}

/** Reads numbered lines of text, without the first `skip`. They are one segment. */
export function createLines(skip: number): Provider {
  return {
    sniff: (store) => FIRST_LINE.test(firstBytes(onlyObject(store))),
    open: (store) => locateErrorsInFile(store, 'Lines', () => open(onlyObject(store), skip)),
  }
}

function open(opened: ByteSource, skip: number): OpenFile {
  const [first, lines, bytes] = FIRST_LINE.exec(firstBytes(opened)) ?? fault('its first line is not #lines')
  const stored = { lines: Number(lines), bytes: Number(bytes), begin: first.length }
  if (stored.begin + stored.bytes !== opened.size || stored.lines > stored.bytes)
    fault(`it has ${opened.size} bytes, and its first line says others`)
  const rows = Math.max(0, stored.lines - skip)
  const segment: Segment = {
    rows,
    decodedBytes: [8 * rows, 4 * rows + stored.bytes],
    storedBytes: [0, stored.bytes],
  }
  return {
    schema: SCHEMA,
    segments: () => list(rows === 0 ? [] : [segment]),
    statistics: () => (rows === 0 ? [] : [null]),
    typeOf: ({ name }) => SCHEMA.fields.find((each) => each.name === name)?.type ?? null,
    read: (store, range, asked, context) =>
      locateErrorsInFile(store, 'Lines', () => {
        const { from, to } = rowsOfSegment(range, () => rows)
        const begin = skip + from
        const columns = collect(context.core, (made) => {
          for (const { name } of asked) {
            context.checkCancelled()
            made.push(
              name === 'number'
                ? numbers(begin, to - from, context)
                : texts(onlyObject(store), stored, begin, to - from, context),
            )
          }
        })
        return { rows: to - from, columns }
      }),
  }
}

function numbers(begin: number, rows: number, { core }: ReadContext): Column {
  const values = BigInt64Array.from({ length: rows }, (_, row) => BigInt(begin + row + 1))
  return core.assemble({
    layout: 'fixed',
    parameter: 8,
    rows,
    buffers: [null, new Uint8Array(values.buffer)],
  })
}

/** A text column has its texts one after the other, as the file has them, but without the line ends. */
function texts(
  source: ByteSource,
  stored: { readonly lines: number; readonly bytes: number; readonly begin: number },
  begin: number,
  rows: number,
  { core }: ReadContext,
): Column {
  const bytes = source.read(stored.begin, stored.bytes)
  const text = new Uint8Array(bytes.length)
  const offsets = new Int32Array(rows + 1)
  let at = 0
  for (let line = 0; line < begin + rows; line++) {
    const end = bytes.indexOf(LINE_END, at)
    if (end < 0) fault(`it has ${line} lines, and its first line says ${stored.lines}`)
    const row = line - begin
    if (row >= 0) {
      const to = offsets[row] ?? 0
      text.set(bytes.subarray(at, end), to)
      offsets[row + 1] = to + end - at
    }
    at = end + 1
  }
  const data = text.subarray(0, offsets[rows])
  return core.assemble({
    layout: 'utf8',
    rows,
    buffers: [null, new Uint8Array(offsets.buffer), data],
  })
}

function firstBytes(source: ByteSource): string {
  return String.fromCharCode(...source.read(0, Math.min(source.size, FIRST_LINE_BYTES)))
}

function fault(what: string): never {
  throw new ServiceError('unreadable_file', what)
}
