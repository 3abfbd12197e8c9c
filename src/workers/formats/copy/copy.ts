import {
  COPY_LENGTH_BYTES,
  COPY_MAGIC,
  type CopyBlock,
  type CopyFoot,
  type CopyHead,
} from '../../../plan/copy/copy-file.ts'
import { list, type Segment } from '../../../plan/source/segments.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { DataType, Field } from '../../../plan/types/schema.ts'
import type { CopyRows } from '../../../wasm/core/text/copy-rows.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { collect } from '../collect.ts'
import { locateErrors, locateErrorsInFile } from '../error-location.ts'
import { fault } from '../fault.ts'
import type { OpenFile, Provider } from '../provider.ts'
import { rowsOfSegment } from '../ranges.ts'
import { chooseColumns } from '../wanted-columns.ts'

const TITLE = 'rows of a database'

/** Reads rows that a database has sent, as `copy-file.ts` describes. A segment is a block of rows. No dataset has this form. */
export const copy: Provider = Object.freeze({
  sniff: (store: Store) => begins(onlyObject(store)),
  open: (store: Store) => locateErrorsInFile(store, TITLE, () => open(onlyObject(store))),
})

const MAGIC_BYTES = COPY_MAGIC.length
const EDGE_BYTES = MAGIC_BYTES + COPY_LENGTH_BYTES

function begins(source: ByteSource): boolean {
  return source.size >= EDGE_BYTES && text(source.read(0, MAGIC_BYTES)) === COPY_MAGIC
}

function open(opened: ByteSource): OpenFile {
  const { head, foot, start } = readEdges(opened)
  const { fields, form } = head
  const types = fields.map(({ type }) => type)
  const byName = new Map(fields.map((field, index) => [field.name, { field, index }]))
  const segments = list(foot.blocks.map((block) => segmentOf(block, fields)))
  return {
    schema: { fields, metadata: {} },
    segments: () => segments,
    statistics: () => foot.blocks.map(() => null),
    typeOf: ({ name }) => byName.get(name)?.field.type ?? null,
    read(store, range, asked, context) {
      const { segment, from, to } = rowsOfSegment(range, (index) => foot.blocks[index]?.rows)
      const block = foot.blocks[segment]
      if (block === undefined) throw new RangeError(`no block ${segment}`)
      const chosen = chooseColumns(asked, byName)
      const wanted = [...new Set(chosen.map(({ index }) => index))].toSorted((a, b) => a - b)
      return locateErrorsInFile(store, TITLE, () => {
        const rows = context.core.copyRows(form, types, wanted)
        try {
          context.stopwatch.time('decode', () => find(rows, block, start, onlyObject(store), fields))
          const columns = collect(context.core, (decoded) => {
            for (const { field, index } of chosen) {
              context.checkCancelled()
              decoded.push(
                locateErrors(`column "${field.name}"`, () =>
                  context.stopwatch.time('decode', () => rows.column(wanted.indexOf(index), from, to)),
                ),
              )
            }
          })
          return { rows: to - from, columns }
        } finally {
          rows.free()
        }
      })
    },
  }
}

/** Reads a block, and finds its rows, which have to be those that the foot tells of. */
function find(
  rows: CopyRows,
  { offset, end, rows: count }: CopyBlock,
  start: number,
  source: ByteSource,
  fields: readonly Field[],
): void {
  rows.add(end - offset, (target) => source.readInto(start + offset, target))
  const { rows: rowsHere, next, misfit } = rows.find()
  if (misfit !== null) throw fault(`column "${fields[misfit.field]?.name}": ${misfit.what}`)
  if (rowsHere !== count || next !== end - offset)
    throw fault(`it has ${rowsHere} rows where ${count} are expected`)
}

function segmentOf({ rows, bytes }: CopyBlock, fields: readonly Field[]): Segment {
  return {
    rows,
    decodedBytes: fields.map(
      ({ type }, index) => rows * fixedBytes(type) + (isOfAnyLength(type) ? (bytes[index] ?? 0) : 0),
    ),
    storedBytes: fields.map((_, index) => bytes[index] ?? 0),
  }
}

function isOfAnyLength({ kind }: DataType): boolean {
  return kind === 'utf8' || kind === 'binary' || kind === 'list'
}

/** The bytes of a row that do not depend on its value: of texts and lists, an offset. */
function fixedBytes(type: DataType): number {
  return isOfAnyLength(type) ? OFFSET_BYTES : rowWidth(type)
}

const OFFSET_BYTES = 4

function readEdges(source: ByteSource): {
  readonly head: CopyHead
  readonly foot: CopyFoot
  readonly start: number
} {
  const { size } = source
  if (!begins(source) || size < 2 * EDGE_BYTES) throw fault('it does not begin as such rows do')
  const headBytes = uint32(source.read(MAGIC_BYTES, COPY_LENGTH_BYTES))
  const start = EDGE_BYTES + headBytes
  const end = source.read(size - EDGE_BYTES, EDGE_BYTES)
  const footBytes = uint32(end)
  const footStart = size - EDGE_BYTES - footBytes
  if (text(end.subarray(COPY_LENGTH_BYTES)) !== COPY_MAGIC || footStart < start)
    throw fault('it is cut short')
  return {
    head: JSON.parse(text(source.read(EDGE_BYTES, headBytes))),
    foot: JSON.parse(text(source.read(footStart, footBytes))),
    start,
  }
}

function uint32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
